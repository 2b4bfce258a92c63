// A plug-in that answers anything at any time, and looks whether the host keeps its side of
// plugin_abi.h: whatever is passed is alive, and everything goes back once.
#ifndef DNNSPEC_API_PLUGIN_FUZZED_PLUGIN_H_
#define DNNSPEC_API_PLUGIN_FUZZED_PLUGIN_H_

#include <cstdint>
#include <string>

#include "api/spi/plugin_abi.h"
#include "tools/fuzz/bytes.h"

namespace fuzzed {

// Ends the process where something does not hold.
void Must(bool holds, const char* what);

bool IsOneLine(const std::string& text);

// Of an engine kind.
dnnspec_plugin_table TableOf(int32_t kind);

// Begins an input, from whose bytes the plug-in takes its answers.
void Begin(tools::Bytes* answers);

// Everything that was made went back.
void End();

}  // namespace fuzzed

#endif  // DNNSPEC_API_PLUGIN_FUZZED_PLUGIN_H_
