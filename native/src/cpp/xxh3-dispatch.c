// xxHash's run-time choice between SSE2, AVX2 and AVX-512, compiled as part of the addon: each
// function carries its own target, so the file needs no compiler flags and the addon runs on any
// x86-64 processor.
#include "xxh_x86dispatch.c"
