#include <zip.h>

// Swift does not import macros with casts or shifts.

/// The capabilities of a source that is read once, from start to end.
static const zip_int64_t CZIP_SOURCE_READABLE = ZIP_SOURCE_SUPPORTS_READABLE | ZIP_SOURCE_MAKE_COMMAND_BITMASK(ZIP_SOURCE_SUPPORTS);
