import Text

/// Text of `application/x-www-form-urlencoded`, as queries and forms have it.
enum FormText {
    /// Nil for a broken escape, and for text that is not UTF-8 or has a NUL character, which PostgreSQL cannot store.
    static func decoded(_ text: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case 0: return nil
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next(), let low = rest.next(), let value = UInt8(hexadecimal: high, low),
                    value != 0
                else { return nil }
                bytes.append(value)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
