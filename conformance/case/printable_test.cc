#include "conformance/case/printable.h"

#include <gtest/gtest.h>

namespace conformance {
namespace {

TEST(Printable, KeepsTextOfEveryLanguage) {
  for (const char* text : {"", "dst[3] is 1.5", "caf\xc3\xa9", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
                           "\xe2\x89\xa4 \xe6\x96\x87 \xf0\x9f\x98\x80", "\xc2\xa0"})
    EXPECT_EQ(Printable(text), text);
}

TEST(Printable, IsOneHarmlessLine) {
  EXPECT_EQ(Printable("a\nb\x1b[0m\tc\x7f\r"), "a\\nb\\x1b[0m c\\x7f\\x0d");
  EXPECT_EQ(Printable(std::string("\0", 1)), "\\x00");
}

TEST(Printable, EscapesControlsOfTheUpperHalf) {
  // A terminal takes CSI as one byte, and as the two of its UTF-8.
  EXPECT_EQ(Printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m\xc2\x85"),
            "\\u009b31m\\u0085");
}

TEST(Printable, EscapesWhatTurnsTheDirectionOfText) {
  EXPECT_EQ(Printable("\xe2\x80\xae"
                      "cc.exe"),
            "\\u202ecc.exe");
  EXPECT_EQ(Printable("\xe2\x81\xa6\xe2\x81\xa9"), "\\u2066\\u2069");
  EXPECT_EQ(Printable("\xd8\x9c\xe2\x80\x8e"), "\\u061c\\u200e");
}

TEST(Printable, EscapesOtherEndsOfLinesAndTheByteOrderMark) {
  EXPECT_EQ(Printable("\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf"), "\\u2028\\u2029\\ufeff");
}

TEST(Printable, EscapesEachByteThatIsNoUtf8) {
  EXPECT_EQ(Printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(Printable("\xe2\x89"), "\\xe2\\x89");           // cut short
  EXPECT_EQ(Printable("\xc1\xbf"), "\\xc1\\xbf");           // longer than need be
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
}

TEST(SubjectName, IsPrintableAndNoPath) {
  for (const char* name : {"cpu", "my library 2.0", "...", "lib<b>", "-"})
    EXPECT_EQ(WrongSubjectName(name), "") << name;
  for (const char* name : {"", ".", "..", "a/b", "/", "a\nb", "\x1b[31m", "caf\xc3\xa9"})
    EXPECT_NE(WrongSubjectName(name), "") << name;
  EXPECT_EQ(WrongSubjectName("\x9b"),
            "'\\x9b' is no name of a subject: that is printable ASCII without '/', and neither '.' "
            "nor '..'");
}

TEST(Quoted, TextIsQuotedForAShellWhenItMustBe) {
  EXPECT_EQ(Quoted("src=f32:2x3:s3,1@0"), "src=f32:2x3:s3,1@0");
  EXPECT_EQ(Quoted("a b"), "'a b'");
  EXPECT_EQ(Quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(Quoted(""), "''");
  EXPECT_EQ(Quoted("$x"), "'$x'");
}

}  // namespace
}  // namespace conformance
