#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The main language of a text.
typedef struct {
    // CLD2's code, usually ISO 639-1; "un" if unknown. A static string.
    const char *code;
    // The share of the text's letters in this language.
    int32_t percent;
    // The number of bytes of letters examined.
    int32_t bytes;
    // 0 if other languages are about as likely.
    int32_t is_reliable;
} ccld2_language;

// Expects plain text in UTF-8; the code for anything else is "un".
ccld2_language ccld2_detect(const char *text, int32_t length);

#ifdef __cplusplus
}
#endif
