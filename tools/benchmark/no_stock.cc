// Where stock oneDNN is not installed, there is nothing to compare with.

#include <memory>
#include <string>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/subject.h"

namespace bench {

std::unique_ptr<Runnable> MakeStock(const Case&, void*, void*) { return nullptr; }

std::string StockInstructions() { return ""; }

}  // namespace bench
