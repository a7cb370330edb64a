/// Percent-encoding in its single canonical form (RFC 3986, 6.2.2): letters, digits and `-._~` are never encoded,
/// escapes are in upper case, and every byte that a URL cannot contain is encoded. Encoded delimiters stay encoded.
enum Escapes {
    /// The context of a text; in a query `+` means a blank, as in forms.
    enum Place { case query, elsewhere }

    private enum Kind: UInt8 { case plain, escaped, percent, plus }

    private static let kinds: [Kind] = {
        var kinds = [Kind](repeating: .escaped, count: 256)
        for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*,;=:@/?".utf8 {
            kinds[Int(byte)] = .plain
        }
        kinds[Int(UInt8(ascii: "%"))] = .percent
        kinds[Int(UInt8(ascii: "+"))] = .plus
        return kinds
    }()

    private static let digits = Array("0123456789ABCDEF".utf8)

    static func appendCanonical(_ text: ArraySlice<UInt8>, in place: Place = .elsewhere, to result: inout [UInt8]) {
        let kinds = kinds
        var rest = text
        while true {
            let special = rest.firstIndex { kinds[Int($0)] != .plain } ?? rest.endIndex
            result += rest[..<special]
            rest = rest[special...]
            guard let byte = rest.popFirst() else { return }
            switch kinds[Int(byte)] {
            case .plain: result.append(byte)
            case .plus where place == .elsewhere: result.append(byte)
            case .plus: appendEscape(of: UInt8(ascii: " "), to: &result)
            case .escaped: appendEscape(of: byte, to: &result)
            case .percent:
                guard let decodedByte = popValue(&rest) else {
                    appendEscape(of: byte, to: &result)
                    continue
                }
                if isUnreserved(decodedByte) {
                    result.append(decodedByte)
                } else {
                    appendEscape(of: decodedByte, to: &result)
                }
            }
        }
    }

    /// Decodes all escapes; a `%` that starts none stays.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            result.append(byte == UInt8(ascii: "%") ? popValue(&rest) ?? byte : byte)
        }
        return result
    }

    /// Removes two hexadecimal digits after a `%` and returns their byte; nil, removing nothing, if there are none.
    private static func popValue(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        guard rest.count >= 2, let high = value(rest[rest.startIndex]), let low = value(rest[rest.startIndex + 1])
        else { return nil }
        rest.removeFirst(2)
        return high << 4 | low
    }

    private static func appendEscape(of byte: UInt8, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "%"))
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
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
