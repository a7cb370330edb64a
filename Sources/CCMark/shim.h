#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <stdlib.h>
#include <string.h>

// The options: raw HTML passes through, footnotes are parsed, and invalid UTF-8 becomes U+FFFD.
enum { commonmark_options = CMARK_OPT_UNSAFE | CMARK_OPT_FOOTNOTES | CMARK_OPT_VALIDATE_UTF8 };
