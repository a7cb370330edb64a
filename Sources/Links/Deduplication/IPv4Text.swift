/// IPv4 addresses in all notations that browsers accept: short, octal, hexadecimal.
enum IPv4Text {
    /// Returns `a.b.c.d` in decimal, or nil.
    static func canonical(_ text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [UInt64] = []
        for part in parts {
            guard let number = number(part) else { return nil }
            numbers.append(number)
        }
        // Every part but the last is one byte; the last part covers the remaining bytes.
        var address = numbers.removeLast()
        guard numbers.allSatisfy({ $0 < 256 }), address < 1 << (8 * UInt64(4 - numbers.count)) else { return nil }
        for (place, number) in numbers.enumerated() { address |= number << (8 * UInt64(3 - place)) }
        return [24, 16, 8, 0].map { String(address >> $0 & 255) }.joined(separator: ".")
    }

    private static func number(_ text: Substring) -> UInt64? {
        guard !text.isEmpty, text.utf8.first != UInt8(ascii: "+"), text.utf8.first != UInt8(ascii: "-") else {
            return nil
        }
        if text.hasPrefix("0x") { return text.count == 2 ? 0 : bounded(text.dropFirst(2), radix: 16) }
        if text.count > 1, text.hasPrefix("0") { return bounded(text, radix: 8) }
        return bounded(text, radix: 10)
    }

    private static func bounded(_ digits: Substring, radix: Int) -> UInt64? {
        let digits = digits.drop { $0 == "0" }
        guard digits.utf8.count <= 12, digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-")
        else { return nil }
        return digits.isEmpty ? 0 : UInt64(digits, radix: radix)
    }
}
