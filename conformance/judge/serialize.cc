#include "conformance/judge/serialize.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace conformance {
namespace {

// One visitor for both directions, so that they cannot disagree.
template <class Archive>
void Visit(Archive& archive, Failure& failure) {
  archive(failure.line), archive(failure.minimal), archive(failure.where);
  archive(failure.expected), archive(failure.got), archive(failure.status);
  archive(failure.signal);
  archive(failure.count), archive(failure.deviation), archive(failure.alone);
  archive(failure.statements), archive(failure.reproducer);
}

template <class Archive>
void Visit(Archive& archive, ClassCount& count) {
  archive(count.run), archive(count.not_run), archive(count.failed);
}

template <class Archive>
void Visit(Archive& archive, Asked& asked) {
  archive(asked.topic), archive(asked.prop), archive(asked.types);
  archive(asked.rank), archive(asked.features);
}

template <class Archive>
void Visit(Archive& archive, PropertyResult& result) {
  archive(result.name), archive(result.cases), archive(result.planned);
  for (int64_t& count : result.results) archive(count);
  archive(result.classes), archive(result.reasons), archive(result.refusals);
  archive(result.refusal_words);
  archive(result.records);
  archive(result.failures), archive(result.stopped), archive(result.problem);
  archive(result.seconds);
}

class Writer {
 public:
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    } else {
      Visit(*this, value);
    }
  }
  void operator()(std::string& text) {
    Size(text.size());
    bytes_ += text;
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    Size(list.size());
    for (T& item : list) (*this)(item);
  }
  template <class K, class V>
  void operator()(std::map<K, V>& map) {
    Size(map.size());
    for (auto& [key, value] : map) {
      K copy = key;
      (*this)(copy), (*this)(value);
    }
  }
  template <class A, class B>
  void operator()(std::pair<A, B>& pair) {
    (*this)(pair.first), (*this)(pair.second);
  }

  std::string Take() { return std::move(bytes_); }

 private:
  void Size(uint64_t size) { (*this)(size); }
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      std::memcpy(&value, bytes_.data(), sizeof(value));
      bytes_.remove_prefix(sizeof(value));
    } else {
      Visit(*this, value);
    }
  }
  void operator()(std::string& text) {
    text = bytes_.substr(0, Size());
    bytes_.remove_prefix(text.size());
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    list.resize(Size());
    for (T& item : list) (*this)(item);
  }
  template <class K, class V>
  void operator()(std::map<K, V>& map) {
    for (uint64_t left = Size(); left > 0; --left) {
      K key;
      (*this)(key);
      (*this)(map[key]);
    }
  }
  template <class A, class B>
  void operator()(std::pair<A, B>& pair) {
    (*this)(pair.first), (*this)(pair.second);
  }

 private:
  uint64_t Size() {
    uint64_t size = 0;
    (*this)(size);
    return size;
  }
  std::string_view bytes_;
};

}  // namespace

std::string Pack(const PropertyResult& result) {
  PropertyResult copy = result;
  Writer writer;
  writer(copy);
  return writer.Take();
}

PropertyResult Unpack(std::string_view bytes) {
  PropertyResult result;
  Reader reader(bytes);
  reader(result);
  return result;
}

}  // namespace conformance
