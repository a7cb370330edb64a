#include "CCLD2.h"

// The library's header uses FILE.
#include <cstdio>

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

ccld2_language ccld2_detect(const char *text, int32_t length) {
    CLD2::CLDHints hints = {nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
    CLD2::Language languages[3] = {CLD2::UNKNOWN_LANGUAGE, CLD2::UNKNOWN_LANGUAGE, CLD2::UNKNOWN_LANGUAGE};
    int percents[3] = {0, 0, 0};
    double scores[3] = {0, 0, 0};
    int bytes = 0, valid = 0;
    bool is_reliable = false;
    CLD2::ExtDetectLanguageSummaryCheckUTF8(text, length, true, &hints, 0, languages, percents, scores, nullptr, &bytes,
                                            &is_reliable, &valid);
    return {CLD2::LanguageCode(languages[0]), percents[0], bytes, is_reliable ? 1 : 0};
}
