#include <wasm_libc.h>
