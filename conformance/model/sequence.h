// Random command sequences over a pool of memories (GEN-SEQ), and the reference-count model that
// says what each handle must show.
//
//   steps=new0,write0:5,copy0>1,drop0,read1
#ifndef DNNSPEC_CONFORMANCE_MODEL_SEQUENCE_H_
#define DNNSPEC_CONFORMANCE_MODEL_SEQUENCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"

namespace conformance {

// Six handles in variables, three buffers of the caller, and two containers of handles. A step
// whose handle is empty or moved from where a live one is needed does nothing, so that any part of
// a sequence is a sequence.
struct Step {
  enum Verb {
    kNew,      // handle a = memory with a buffer of its own
    kWrap,     // handle a = memory on the caller's buffer b
    kCopy,     // handle b = handle a; a may be b
    kMove,     // handle b = std::move(handle a); a is not b
    kDrop,     // handle a = memory()
    kWrite,    // fills a with the number b
    kRead,     // compares what a holds
    kAttach,   // a.set_data_handle(caller's buffer b)
    kDetach,   // a.set_data_handle(DNNL_MEMORY_NONE)
    kExecute,  // copies the contents of a to b by a reorder
    kStore,    // puts handle a into both containers
    kFetch,    // handle a = one of those stored; nothing if there is none
    kShuffle,  // makes the containers move their elements to other places
    kRenew,    // drops primitive descriptor, stream or primitive (a: which) and makes it anew
  };
  static constexpr int kVerbs = 14;
  static constexpr int kHandles = 6, kBuffers = 3;

  Verb verb;
  int64_t a = 0, b = 0;
};

struct Sequence {
  std::vector<Step> steps;

  void Print(Fields* fields) const;
  static Sequence Parse(const Fields& fields);
  std::vector<Sequence> Simpler() const;
};

// Sequences in which the verbs of `often` come up three times as much.
Cases<Sequence> Sequences(std::vector<Step::Verb> often);

// What each handle must show: who shares which buffer, and what was written to it.
class Model {
 public:
  static constexpr int64_t kUnknown = -1;  // never written

  Model() : handles_(Step::kHandles, kEmpty), buffers_(Step::kBuffers, kUnknown) {}

  // Whether the step does anything.
  bool Applies(const Step& step) const;
  void Apply(const Step& step);

  bool IsLive(int64_t handle) const { return handles_[handle] >= 0; }
  bool HasBuffer(int64_t handle) const;
  // The number that fills the buffer of a handle that has one; kUnknown if nothing was written.
  int64_t Holds(int64_t handle) const;
  bool HoldsSomething(int64_t handle) const {
    return HasBuffer(handle) && Holds(handle) != kUnknown;
  }
  // Handles that share a memory with this one, itself included, stored ones too.
  int64_t Sharers(int64_t handle) const;

 private:
  // A memory object: what its handles share.
  struct Memory {
    int64_t number = kUnknown;  // in its own buffer
    int64_t wrapped = -1;       // the caller's buffer; -1: its own
    bool detached = false;
  };

  int64_t& NumberOf(int64_t handle);

  static constexpr int kEmpty = -1, kMoved = -2;
  std::vector<int> handles_;  // index into memories_, kEmpty or kMoved
  std::vector<int> stored_;
  std::vector<Memory> memories_;
  std::vector<int64_t> buffers_;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_SEQUENCE_H_
