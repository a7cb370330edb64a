import CICU

/// Guesses an encoding from the bytes alone with ICU's detector.
enum EncodingGuess {
    /// The confidence (0...100) below which a guess is worse than the web's default.
    private static let minConfidence: Int32 = 20

    /// Returns nil if no encoding is likely enough.
    static func encoding(of bytes: ArraySlice<UInt8>) -> Encoding? {
        // The first `<` reveals a page in UTF-16 without a byte order mark.
        if bytes.starts(with: [0x3C, 0]) { return .utf16LE }
        if bytes.starts(with: [0, 0x3C]) { return .utf16BE }

        var status = U_ZERO_ERROR
        guard let detector = cicu_detector_open(&status) else { return nil }
        defer { cicu_detector_close(detector) }
        // The filter excludes markup from the statistics.
        cicu_detector_skip_markup(detector)
        return bytes.prefix(Prescan.maxSearchBytes).withUnsafeBytes { raw in
            let text = raw.bindMemory(to: CChar.self)
            cicu_detector_set_text(detector, text.baseAddress, Int32(text.count), &status)
            var count: Int32 = 0
            guard let matches = cicu_detector_matches(detector, &count, &status),
                status.rawValue <= U_ZERO_ERROR.rawValue
            else { return nil }
            for match in UnsafeBufferPointer(start: matches, count: Int(count)) {
                guard let match, cicu_match_confidence(match, &status) >= minConfidence else { continue }
                guard let name = cicu_match_name(match, &status), let encoding = Encoding(label: String(cString: name))
                else { continue }
                return encoding
            }
            return nil
        }
    }
}
