#include "conformance/model/cases.h"

#include <string>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "conformance/model/sequence.h"
#include "gtest/gtest.h"

namespace conformance {
namespace {

template <class C>
std::string Line(const C& c) {
  Fields fields;
  c.Print(&fields);
  return fields.ToString();
}

template <class C>
void ExpectLinesSurvive(const Cases<C>& cases) {
  for (int64_t index = 0; index < 200; ++index) {
    Random random(Mix(static_cast<uint64_t>(index)));
    const C c = cases.at(index, random);
    const Fields fields = Fields::Parse(Line(c));
    const C parsed = C::Parse(fields);
    ASSERT_EQ(fields.error(), "") << Line(c);
    ASSERT_EQ(Line(parsed), Line(c));
    for (const C& simpler : c.Simpler()) {
      const Fields again = Fields::Parse(Line(simpler));
      C::Parse(again);
      ASSERT_EQ(again.error(), "") << Line(simpler);
      ASSERT_NE(Line(simpler), Line(c));
    }
  }
}

TEST(Lines, OfEveryKindOfCaseComeBack) {
  ExpectLinesSurvive(Seeds());
  ExpectLinesSurvive(Hazards());
  ExpectLinesSurvive(Sequences({Step::kCopy, Step::kMove}));
}

TEST(Lines, ThatMeanNothingAreRejected) {
  for (const char* text :
       {"steps=", "steps=new", "steps=new9", "steps=copy1", "steps=move1>1", "steps=wrap0:3",
        "steps=execute2>2", "steps=mix1", "steps=new0,,new1", "steps=write0:1000"}) {
    const Fields fields = Fields::Parse(text);
    Sequence::Parse(fields);
    EXPECT_NE(fields.error(), "") << text;
  }
  for (const char* text :
       {"buffers=2 size=1 copies=0", "buffers=2 size=1 copies=0,0", "buffers=2 size=1 copies=0,2",
        "buffers=1 size=1 copies=-", "buffers=2 size=4 copies=0,1 part=0,5 partly=1",
        "buffers=2 size=4 copies=0,1 part=0,0 partly=1",
        "buffers=2 size=4 copies=0,1 part=4 partly=1",
        "buffers=2 size=4 copies=0,1 part=1,2 partly=1,1"}) {
    const Fields fields = Fields::Parse(text);
    CopiesInOrder::Parse(fields);
    EXPECT_NE(fields.error(), "") << text;
  }
}

Model After(const std::string& steps) {
  Model model;
  for (const Step& step : Sequence::Parse(Fields::Parse("steps=" + steps)).steps)
    if (model.Applies(step)) model.Apply(step);
  return model;
}

TEST(Model, StartsWithEmptyHandles) {
  const Model model;
  for (int handle = 0; handle < Step::kHandles; ++handle) EXPECT_FALSE(model.IsLive(handle));
  EXPECT_FALSE(model.Applies({Step::kWrite, 0, 5}));
  EXPECT_FALSE(model.Applies({Step::kAttach, 0, 1}));
  EXPECT_FALSE(model.Applies({Step::kFetch, 0, 0}));
  EXPECT_TRUE(model.Applies({Step::kCopy, 0, 1}));
}

TEST(Model, CopiesShareWhatIsWritten) {
  const Model model = After("new0,copy0>1,write1:7,drop1");
  EXPECT_EQ(model.Holds(0), 7);
  EXPECT_FALSE(model.IsLive(1));
  EXPECT_EQ(model.Sharers(0), 1);
}

TEST(Model, HandlesOnOneBufferOfTheCallerShareIt) {
  const Model model = After("wrap0:2,new1,attach1:2,write0:3");
  EXPECT_EQ(model.Holds(1), 3);
  EXPECT_FALSE(model.Applies({Step::kExecute, 0, 1}));
}

TEST(Model, DetachedHandlesHaveNoBuffer) {
  const Model model = After("new0,copy0>1,write0:3,detach1");
  EXPECT_TRUE(model.IsLive(0));
  EXPECT_FALSE(model.HasBuffer(0));
  EXPECT_FALSE(model.HoldsSomething(0));
}

TEST(Model, MovedHandlesCanOnlyBeAssigned) {
  const Model model = After("new0,write0:4,move0>1");
  EXPECT_EQ(model.Holds(1), 4);
  EXPECT_FALSE(model.Applies({Step::kCopy, 0, 2}));
  EXPECT_TRUE(model.Applies({Step::kCopy, 1, 0}));
  EXPECT_TRUE(model.Applies({Step::kDrop, 0, 0}));
}

TEST(Model, StoredHandlesKeepTheirMemory) {
  const Model model = After("new0,write0:4,store0,drop0,mix,fetch3");
  EXPECT_EQ(model.Holds(3), 4);
  EXPECT_EQ(model.Sharers(3), 2);
}

TEST(Model, ExecutionCopiesContents) {
  const Model model = After("new0,write0:4,new1,execute0>1,write0:5");
  EXPECT_EQ(model.Holds(1), 4);
}

}  // namespace
}  // namespace conformance
