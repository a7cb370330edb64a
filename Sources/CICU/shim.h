#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucsdet.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ucal.h>
#include <unicode/udat.h>
#include <unicode/uidna.h>
#include <unicode/uloc.h>

// ICU renames its functions by macro (ucnv_open is ucnv_open_72), which Swift does not import, so each function used has
// a wrapper.

// The callback for bytes that ICU cannot decode. ICU's own callback writes U+001A for single bytes in some converters; the
// Encoding standard requires U+FFFD. In addition, the standard's GBK has a euro sign at 0x80, which ICU's lacks.
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

// Writes the NFKC form of UTF-16 text to `to`. Returns its length, also if `capacity` is too small.
static inline int32_t cicu_nfkc(const UChar *text, int32_t length, UChar *to, int32_t capacity, UErrorCode *status) {
    const UNormalizer2 *nfkc = unorm2_getNFKCInstance(status);
    return U_FAILURE(*status) ? 0 : unorm2_normalize(nfkc, text, length, to, capacity, status);
}
// The single-character lower case of a character.
static inline UChar32 cicu_lower(UChar32 character) { return u_tolower(character); }

// Whether the usual script of a language is written from right to left.
static inline int cicu_is_right_to_left(const char *locale) { return uloc_isRightToLeft(locale); }

// Whether a label of a host name with the prefix xn-- is valid Punycode.
// Source: https://www.unicode.org/reports/tr46/#Validity_Criteria
static inline int cicu_is_valid_label(const char *label) {
    UErrorCode status = U_ZERO_ERROR;
    UIDNA *names = uidna_openUTS46(UIDNA_DEFAULT, &status);
    if (U_FAILURE(status)) return 0;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    char decoded[256];
    uidna_labelToUnicodeUTF8(names, label, -1, decoded, sizeof decoded, &info, &status);
    uidna_close(names);
    return U_SUCCESS(status) && !info.errors;
}

// The names of months and day periods in a language, and its date order. The zone is UTC, so that ICU does not read the
// system's time zone files.
static inline UDateFormat *cicu_dates_open(const char *locale, UErrorCode *status) {
    static const UChar utc[] = {'U', 'T', 'C', 0};
    return udat_open(UDAT_NONE, UDAT_SHORT, locale, utc, 3, NULL, 0, status);
}
static inline void cicu_dates_close(UDateFormat *dates) { udat_close(dates); }
static inline int32_t cicu_dates_count(const UDateFormat *dates, UDateFormatSymbolType kind) {
    return udat_countSymbols(dates, kind);
}
static inline int32_t cicu_dates_symbol(const UDateFormat *dates, UDateFormatSymbolType kind, int32_t index, UChar *to,
                                        int32_t capacity, UErrorCode *status) {
    return udat_getSymbols(dates, kind, index, to, capacity, status);
}
static inline int32_t cicu_dates_pattern(const UDateFormat *dates, UChar *to, int32_t capacity, UErrorCode *status) {
    return udat_toPattern(dates, 0, to, capacity, status);
}

// The calendar of a time zone such as Europe/Berlin; NULL for a name that ICU does not know.
static inline UCalendar *cicu_calendar_open(const UChar *zone, int32_t length, const char *locale, UErrorCode *status) {
    UCalendar *calendar = ucal_open(zone, length, locale, UCAL_DEFAULT, status);
    if (!calendar || U_FAILURE(*status)) return NULL;
    UChar known[16];
    UErrorCode ignored = U_ZERO_ERROR;
    int32_t count = ucal_getTimeZoneID(calendar, known, 16, &ignored);
    if (count == 11 && known[0] == 'E' && known[4] == 'U') { /* Etc/Unknown */
        ucal_close(calendar);
        return NULL;
    }
    return calendar;
}
static inline void cicu_calendar_close(UCalendar *calendar) { ucal_close(calendar); }
// Milliseconds since 1970 for a local date and time; months count from 0.
static inline double cicu_calendar_time(UCalendar *calendar, int32_t year, int32_t month, int32_t day, int32_t hour,
                                        int32_t minute, int32_t second, UErrorCode *status) {
    ucal_setDateTime(calendar, year, month, day, hour, minute, second, status);
    ucal_set(calendar, UCAL_MILLISECOND, 0);
    return ucal_getMillis(calendar, status);
}
// The offset from UTC at that time, in minutes.
static inline int32_t cicu_calendar_offset(UCalendar *calendar, UErrorCode *status) {
    int32_t zone = ucal_get(calendar, UCAL_ZONE_OFFSET, status);
    return (zone + ucal_get(calendar, UCAL_DST_OFFSET, status)) / 60000;
}
