// libFuzzer as a library (https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library), which has no header for
// C, and the initialisation of libfcgi.
#ifndef LECTERN_CFUZZING_SHIM_H
#define LECTERN_CFUZZING_SHIM_H

#include <stddef.h>
#include <stdint.h>

/// Calls `test` with one input after the other until a limit in the arguments is reached. Ends the process at a crash.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));

/// From fcgiapp.h.
int FCGX_Init(void);

#endif
