#define RUN RunStock
#define HASH HashOfStock
#define THROW ThrowStock
#include "examples/coexistence/program.h"
#include "examples/coexistence/program.inc"
