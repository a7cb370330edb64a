#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucsdet.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>

// ICU renames its functions by macro (ucnv_open is ucnv_open_72), which Swift cannot see: one wrapper for each we use.

// What ICU calls for bytes it cannot read. Its own substitution writes U+001A for single bytes of some converters, the
// standard wants U+FFFD always; and the standard's GBK has a euro sign at 0x80, where ICU's has nothing.
static void cicu_replace(const void *has_euro, UConverterToUnicodeArgs *to, const char *bytes, int32_t count,
                         UConverterCallbackReason reason, UErrorCode *status) {
    if (reason > UCNV_IRREGULAR) return;
    UChar replacement = has_euro && count == 1 && (unsigned char)bytes[0] == 0x80 ? 0x20AC : 0xFFFD;
    *status = U_ZERO_ERROR;
    ucnv_cbToUWriteUChars(to, &replacement, 1, 0, status);
}

static inline UConverter *cicu_converter_open(const char *name, int has_euro, UErrorCode *status) {
    UConverter *converter = ucnv_open(name, status);
    if (converter) ucnv_setToUCallBack(converter, cicu_replace, has_euro ? "" : NULL, NULL, NULL, status);
    return converter;
}
static inline void cicu_converter_close(UConverter *converter) { ucnv_close(converter); }
static inline void cicu_convert(UConverter *target, UConverter *source, char **to, const char *to_end, const char **from,
                                const char *from_end, UChar *pivot, UChar **pivot_source, UChar **pivot_target,
                                const UChar *pivot_end, UBool reset, UErrorCode *status) {
    ucnv_convertEx(target, source, to, to_end, from, from_end, pivot, pivot_source, pivot_target, pivot_end, reset, 1,
                   status);
}

static inline UCharsetDetector *cicu_detector_open(UErrorCode *status) { return ucsdet_open(status); }
static inline void cicu_detector_close(UCharsetDetector *detector) { ucsdet_close(detector); }
static inline void cicu_detector_skip_markup(UCharsetDetector *detector) { ucsdet_enableInputFilter(detector, 1); }
static inline void cicu_detector_set_text(UCharsetDetector *detector, const char *text, int32_t length,
                                          UErrorCode *status) {
    ucsdet_setText(detector, text, length, status);
}
static inline const UCharsetMatch **cicu_detector_matches(UCharsetDetector *detector, int32_t *count,
                                                          UErrorCode *status) {
    return ucsdet_detectAll(detector, count, status);
}
static inline int32_t cicu_match_confidence(const UCharsetMatch *match, UErrorCode *status) {
    return ucsdet_getConfidence(match, status);
}
static inline const char *cicu_match_name(const UCharsetMatch *match, UErrorCode *status) {
    return ucsdet_getName(match, status);
}

// NFKC of UTF-16 text into `to`; the length it has, also when `capacity` is too small for it.
static inline int32_t cicu_nfkc(const UChar *text, int32_t length, UChar *to, int32_t capacity, UErrorCode *status) {
    const UNormalizer2 *nfkc = unorm2_getNFKCInstance(status);
    return U_FAILURE(*status) ? 0 : unorm2_normalize(nfkc, text, length, to, capacity, status);
}
// The lower case of one character as one character.
static inline UChar32 cicu_lower(UChar32 character) { return u_tolower(character); }
