"""reproducer_tests: failures as programs, compiled and run."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")

# A case of every kind that there is, by a short name: a correct library passes all, and so does
# oneDNN 2.6.3 with every instruction set.
KINDS = {
    "arithmetic": "DT-006 from=f32 to=f32 beta=-1 values=index seed=7811 count=160",
    "calls": "ERR-001 call=desc-any-run-time seed=79124",
    "choice": "DT-001 what=shuffle-forward",
    "copies": "STR-002 buffers=6 size=64 copies=3,5,0,5,1,2,2,5,5,4,0,2,5,4",
    "handles": "MEM-006 tensor=bf16:5x1x15x1:s3,3,15,225 seed=8490 drop=2,3,1,4,5,0",
    "literal": "ATTR-001/getters",
    "matrix": "MD-060 rows=37 columns=19 pitch=19",
    "parts": "MD-077 parent=u8:1x1x1x3:sub(1x1x64x3:s3461,3456,27,3@0,0,63,0) axis=2 parts=1 seed=4161",
    "permutation": "MD-105 type=f32 dims=7,1,4,3 strides=40,52,1,11 regions=7,1,1,2@0,0,3,0 permutations=2,1,0,3",
    "renamed": "MD-113 tag=abc type=f32 dims=3,15,9 axes=0,2,1",
    "reorder": "REO-010 src=u8:2x3:ab dst=f32:2x3:ba values=index seed=3",
    "reshape": "ERR-008/descriptors type=s32 dims=4,2,64,1 strides=513,4,8,44 regions=1,1,64,1@1,0,0,0 to=1,1,2,32,1",
    "sample": "ATTR-001/primitives kind=reorder seed=33346",
    "scaled": "REO-050/f32 src=f32:2x3:ab dst=f32:2x3:ba mask=2 alphas=any beta=0.5 values=finite seed=3",
    "seed": "ATTR-005 seed=24293",
    "sequence": "OBJ-006 steps=new0,write0:176,new1,write1:238,new2,write2:133,copy0>0,write1:701,read1,read0,copy0>2,read0,read1,read2",
    "shapes": "REO-011 src=bf16:1x1x1x1:s1,1,1,1 dst=bf16:1x1x1x1x1:s1,1,1,1,1",
    "shuffle": "SHU-020 dir=fwd src=bf16:2x6x3:abc axis=1 group=3 values=index seed=1",
    "shuffle_parameters": "SHU-007 src=f32:1x4:s4,1 axis=12 group=1",
    "tag": "MD-003 tag=abc type=s8 dims=1,2,64",
    "tag_name": "MD-050 tag=ncdhw",
    "tensor": "MD-007 tensor=s32:21x14:s1,27 seed=2283",
    "triple": "OBJ-014 type=s32 dims=2,4 strides=4,1 regions=- type2=f16 dims2=2,4 strides2=4,1 regions2=- type3=s32 dims3=2,4 strides3=4,1 regions3=-",
    "two": "MD-042 type=bf16 dims=2,2 strides=2,1 regions=- type2=bf16 dims2=2,2 strides2=1,2 regions2=-",
    "values": "DT-005 from=f16 to=f32 all=0+65536",
    "view": "MD-005 type=f16 dims=4,33,1,2 strides=4,80,40,17 regions=-",
}

# And of topics that our own library lacks.
ALL_KINDS = dict(
    KINDS,
    inner_product = "IP-010 dir=fwd mb=2 ic=3 sp=2x2 oc=4 src=f32:acdb wei=f32:any bias=f32:a dst=f32:ab values=integers seed=1",
)

# Faults of the distribution's oneDNN 2.6.3 that show on every machine (findings/): a wrong result, a
# dead process, what should have been refused, what should not have died.
FAULTS_2_6_3 = {
    "dies": "REO-019 src=f32:0:s2 dst=f32:0:a values=index seed=0",
    "accepts": "MD-109 type=f32 dims=1 strides=1 regions=- permutations=0,1",
    "accepts_flags": "STR-004/flags seed=0",
    "wrong_element": "IP-031/forward dir=fwd mb=1 ic=1 sp=- oc=2 src=f32:ab wei=f32:any bias=f32:s4 dst=f32:ab values=integers seed=0",
    "wrong_place": "SHU-031/channels dir=fwd src=f32:1x240x1x1:sub(2x240x1x1:abcd@1,0,0,0) axis=1 group=120 values=index seed=0",
}

def _reproducer_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run_shell(
        arguments = [
            ctx.executable.runner.path,
            "--case=" + ctx.attr.case,
            "--profile=" + ctx.attr.profile,
            out.path,
            "-1-check.cc" if ctx.attr.whole else "-1.cc",
        ],
        command = """
            folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
            "$1" "$2" "$3" --out="$folder" >"$folder/said" 2>&1
            if [ $? -gt 1 ]; then cat "$folder/said"; exit 1; fi
            cp "$folder"/reproducers/*/*"$5" "$4"
        """,
        mnemonic = "Reproducer",
        outputs = [out],
        tools = [ctx.executable.runner],
    )
    return [DefaultInfo(files = depset([out]))]

_reproducer = rule(
    implementation = _reproducer_impl,
    attrs = {
        "case": attr.string(mandatory = True),
        "profile": attr.string(mandatory = True),
        "runner": attr.label(cfg = "target", executable = True, mandatory = True),
        "whole": attr.bool(),
    },
)

def reproducer_tests(name, runner, subject, held = {}, shown = {}, whole = {}, profile = "portable", **kwargs):
    """A test NAME that compiles the programs of some cases against a library and runs them.

    Args:
      name: of the test
      runner: of the library
      subject: the library
      held: cases that hold, by a short name: their programs return 0
      shown: cases that fail: their programs return 1
      whole: as shown, with the check itself where the usual program is plain calls
      profile: portable or project
      **kwargs: for all targets (tags, ...)
    """
    programs, arguments = [], []
    for lines, status, check in [(held, 0, False), (shown, 1, False), (whole, 1, True)]:
        for short, line in lines.items():
            program = "%s_%s%s" % (name, short, "_whole" if check else "")
            _reproducer(
                name = program + "_source",
                case = line,
                profile = profile,
                runner = runner,
                whole = check,
                **kwargs
            )
            cc_binary(
                name = program,
                srcs = [":%s_source" % program],
                # As a reader compiles it: quickly, and without our warnings.
                copts = [
                    "-O0",
                    "-w",
                ],
                linkopts = ["-pthread"],
                deps = [subject],
                **kwargs
            )
            programs.append(":" + program)
            arguments.append("$(rootpath :%s)=%d" % (program, status))
    cc_test(
        name = name,
        size = "medium",
        srcs = [str(Label("//conformance/reproduce:programs_test.cc"))],
        args = arguments,
        data = programs,
        deps = [
            str(Label("//tools/testing:command")),
            "@googletest//:gtest",
        ],
        **{key: value for key, value in kwargs.items() if key != "testonly"}
    )
