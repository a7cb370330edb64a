extension String {
    /// UTF-8 as text; bytes that are not UTF-8 are taken for ISO 8859-1, whose characters are the first of Unicode.
    public init(utf8OrLatin1 bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = text
        } else {
            self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
}

extension UInt8 {
    /// The byte that two hexadecimal digits stand for; nil for other characters. (The initializer that reads a number would
    /// take a sign, too.)
    public init?(hexadecimal high: UInt8, _ low: UInt8) {
        guard let high = Self.digit(high), let low = Self.digit(low) else { return nil }
        self = high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
