// Tells whether AMX multiplies: tiles of bytes and bf16, which Highway has no target for.
#ifndef DNNSPEC_IMPL_CPU_ISA_AMX_H_
#define DNNSPEC_IMPL_CPU_ISA_AMX_H_

namespace impl_cpu {

// Whether the machine has it for bytes and for bf16, DNNSPEC_MAX_ISA names no other instruction
// set, and the system lets this process use it: it is asked for that, once. Other threads then
// need room for the state of tiles on an alternate signal stack.
bool MayUseAmx();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ISA_AMX_H_
