extension String {
    /// The text without soft hyphens. Browsers hyphenate by the language; in a stored text soft hyphens only keep words
    /// from being found.
    var withoutSoftHyphens: String {
        // C2 AD in UTF-8.
        var previous: UInt8 = 0
        let hasOne = utf8.contains { byte in
            defer { previous = byte }
            return byte == 0xAD && previous == 0xC2
        }
        return hasOne ? String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{AD}" })) : self
    }
}
