#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The language most of a text is in.
typedef struct {
    // As CLD2 names it, mostly ISO 639-1; "un" for none. Lives as long as the program.
    const char *code;
    // Of the text's letters that are in it.
    int32_t percent;
    // Bytes of letters that were looked at.
    int32_t bytes;
    // 0 when others are about as likely.
    int32_t is_reliable;
} ccld2_language;

// Plain text in UTF-8; for what is none the answer is "un".
ccld2_language ccld2_detect(const char *text, int32_t length);

#ifdef __cplusplus
}
#endif
