#include <zip.h>

// Casts and shifts in macros do not reach Swift.

/// What a source can do that is read once from start to end.
static const zip_int64_t CZIP_SOURCE_READABLE = ZIP_SOURCE_SUPPORTS_READABLE | ZIP_SOURCE_MAKE_COMMAND_BITMASK(ZIP_SOURCE_SUPPORTS);
