#include "conformance/report/markup.h"

#include <gtest/gtest.h>

#include <string>

namespace conformance {
namespace {

TEST(Markup, KeepsWhatIsNoMarkup) {
  EXPECT_EQ(EscapedForMarkup("dst[3], it's 1.5\t(\xc2\xb5s, \xe2\x89\xa4, \xf0\x9f\x98\x80)"),
            "dst[3], it's 1.5\t(\xc2\xb5s, \xe2\x89\xa4, \xf0\x9f\x98\x80)");
}

TEST(Markup, EscapesWhatWouldBeMarkup) {
  EXPECT_EQ(EscapedForMarkup("<a href=\"x\">&amp;"), "&lt;a href=&quot;x&quot;&gt;&amp;amp;");
  EXPECT_EQ(EscapedForMarkup("two\nlines"), "two&#10;lines");
}

TEST(Markup, MarksWhatHasNoPlace) {
  for (const char* text : {"\x01", "\x1b", "\x7f", "\r",        // control characters
                           "\x80", "\xbf", "\xc0", "\xff",      // no first byte
                           "\xc2", "\xe2\x89", "\xf0\x9f\x98",  // cut short: a mark for each byte
                           "\xc1\xbf", "\xe0\x80\x80",          // longer than need be
                           "\xed\xa0\x80", "\xef\xbf\xbf",      // a surrogate, and no character
                           "\xf4\x90\x80\x80", "\xc2\x85",  // past the end, and a control character
                           "\xe2\x80\xae", "\xe2\x81\xa7"}) {  // what turns the direction of text
    const std::string marks(std::string(text).size(), '?');
    EXPECT_EQ(EscapedForMarkup(std::string("a") + text + "b"), "a" + marks + "b");
  }
  EXPECT_EQ(EscapedForMarkup(std::string("\0", 1)), "?");
}

}  // namespace
}  // namespace conformance
