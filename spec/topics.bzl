"""topic_data: writes a table of topics as C++."""

def _impl(ctx):
    lines = [
        "// Written by the build from topics.bzl.",
        '#include "spec/topics.h"',
        "",
        "namespace spec {",
        "",
        "const char* const kTopics[] = {",
    ]
    lines += ['    "%s",' % topic for topic in ctx.attr.topics]
    lines += [
        "};",
        "const size_t kTopicCount = %d;" % len(ctx.attr.topics),
        "",
        "const Area kAreas[] = {",
    ]
    for prefix, title in ctx.attr.areas.items():
        lines.append('    {"%s", "%s", "%s"},' % (prefix, title, ctx.attr.topic_of[prefix]))
    lines += [
        "};",
        "const size_t kAreaCount = %d;" % len(ctx.attr.areas),
        "",
        "}  // namespace spec",
        "",
    ]
    ctx.actions.write(ctx.outputs.out, "\n".join(lines))

_topic_data = rule(
    implementation = _impl,
    attrs = {
        "areas": attr.string_dict(mandatory = True),
        "out": attr.output(mandatory = True),
        "topic_of": attr.string_dict(mandatory = True),
        "topics": attr.string_list(mandatory = True),
    },
)

def topic_data(name, topics, out):
    """Writes what spec/topics.h declares.

    Args:
      name: of the target
      topics: as TOPICS of topics.bzl
      out: the file
    """
    areas, topic_of = {}, {}
    for topic in topics:
        for prefix, title in topic.areas.items():
            if prefix in areas:
                fail("%s is an area of %s and of %s" % (prefix, topic_of[prefix], topic.name))
            areas[prefix] = title
            topic_of[prefix] = topic.name
    _topic_data(
        name = name,
        areas = areas,
        out = out,
        topic_of = topic_of,
        topics = [topic.name for topic in topics],
    )
