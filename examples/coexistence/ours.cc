#define RUN RunOurs
#define HASH HashOfOurs
#define THROW ThrowOurs
#include "examples/coexistence/program.h"
#include "examples/coexistence/program.inc"
