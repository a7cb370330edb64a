/// Percent-encoding in its one canonical form (RFC 3986, 6.2.2): letters, digits and `-._~` never escaped, escapes in upper
/// case, and everything escaped that may not stand in a URL as it is. Escaped delimiters stay what they are.
enum Escapes {
    private enum Kind: UInt8 { case plain, escaped, percent, plus }

    private static let kinds: [Kind] = {
        var kinds = [Kind](repeating: .escaped, count: 256)
        for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*,;=:@/?".utf8 { kinds[Int(byte)] = .plain }
        kinds[Int(UInt8(ascii: "%"))] = .percent
        kinds[Int(UInt8(ascii: "+"))] = .plus
        return kinds
    }()

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// - Parameter isQuery: `+` is a blank, as forms write it.
    static func canonical(_ text: ArraySlice<UInt8>, isQuery: Bool = false) -> [UInt8] {
        if text.allSatisfy({ kinds[Int($0)] == .plain }) { return Array(text) }
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 16)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            switch kinds[Int(byte)] {
            case .plain: result.append(byte)
            case .plus: if isQuery { escape(0x20, into: &result) } else { result.append(byte) }
            case .escaped: escape(byte, into: &result)
            case .percent:
                guard index + 1 < text.endIndex, let high = value(text[index]), let low = value(text[index + 1]) else {
                    escape(byte, into: &result)
                    continue
                }
                index += 2
                let meant = high << 4 | low
                if isUnreserved(meant) { result.append(meant) } else { escape(meant, into: &result) }
            }
        }
        return result
    }

    /// The bytes with all escapes undone; a `%` that begins none stays.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
        var result: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 1 < text.endIndex, let high = value(text[index]), let low = value(text[index + 1]) {
                result.append(high << 4 | low)
                index += 2
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static func escape(_ byte: UInt8, into result: inout [UInt8]) {
        result.append(UInt8(ascii: "%"))
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
