/// Host names and IP addresses in one canonical form.
enum HostName {
    /// Maximum length of a host, in bytes. A name has at most 253 (RFC 1035), an escaped one a few times that.
    private static let maximumBytes = 1_024

    /// Returns the host in lower case and Punycode, without trailing dots and without leading `www.`; IP addresses in
    /// their standard notation. Nil for a host that no browser accepts.
    static func canonical(_ text: ArraySlice<UInt8>, _ map: DedupeKey.MapHost) -> ArraySlice<UInt8>? {
        guard !text.isEmpty, text.count <= maximumBytes else { return nil }
        if text.first == UInt8(ascii: "[") {
            guard text.last == UInt8(ascii: "]"), text.count > 2 else { return nil }
            return IPv6Text.canonical(String(decoding: text.dropFirst().dropLast(), as: UTF8.self)).map { Array($0.utf8)[...] }
        }
        guard let spelled = text.allSatisfy(isPlain) ? text : ascii(text, map) else { return nil }
        var name = spelled.map(lowercased)[...]
        while name.last == UInt8(ascii: ".") { name.removeLast() }
        guard !name.isEmpty else { return nil }
        if endsInNumber(name) { return IPv4Text.canonical(String(decoding: name, as: UTF8.self)).map { Array($0.utf8)[...] } }
        while name.starts(with: "www.".utf8), name.dropFirst(4).contains(UInt8(ascii: ".")) { name.removeFirst(4) }
        return name
    }

    /// Fast path: the characters of nearly all hosts.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Decodes escapes and converts non-ASCII letters to Punycode; nil if the result contains characters that a host
    /// cannot contain.
    private static func ascii(_ text: ArraySlice<UInt8>, _ map: DedupeKey.MapHost) -> ArraySlice<UInt8>? {
        guard var name = String(validating: Escapes.decoded(text), as: UTF8.self) else { return nil }
        if !name.utf8.allSatisfy({ $0 < 0x80 }) {
            name = map(name)
            guard name.utf8.count <= maximumBytes, let ascii = Punycode.toASCII(name) else { return nil }
            name = ascii
        }
        return name.utf8.allSatisfy(isAllowed) ? Array(name.utf8)[...] : nil
    }

    private static let forbidden = Array("#%/:<>?@[\\]^|".utf8)

    /// Whether a host may contain this ASCII character: no control characters, blanks, or characters that end a host or
    /// start an escape.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !forbidden.contains(byte)
    }

    /// Whether the last label is a number, which makes the host an IPv4 address (URL standard, "ends in a number").
    private static func endsInNumber(_ name: ArraySlice<UInt8>) -> Bool {
        let last = name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? name
        if last.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        return last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}

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
        guard !text.isEmpty, text.utf8.first != UInt8(ascii: "+"), text.utf8.first != UInt8(ascii: "-") else { return nil }
        if text.hasPrefix("0x") { return text.count == 2 ? 0 : bounded(text.dropFirst(2), radix: 16) }
        if text.count > 1, text.hasPrefix("0") { return bounded(text, radix: 8) }
        return bounded(text, radix: 10)
    }

    private static func bounded(_ digits: Substring, radix: Int) -> UInt64? {
        let digits = digits.drop { $0 == "0" }
        guard digits.utf8.count <= 12, digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-") else { return nil }
        return digits.isEmpty ? 0 : UInt64(digits, radix: radix)
    }
}

/// IPv6 addresses as RFC 5952 and the URL standard write them.
enum IPv6Text {
    /// Returns the address in brackets, or nil.
    static func canonical(_ text: String) -> String? {
        guard let groups = groups(text) else { return nil }
        // Finds the longest run of at least two zeros; the first one if several are equally long.
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > max(1, best.count) { best = start..<end }
            start = max(end, start + 1)
        }
        func hex(_ range: Range<Int>) -> String { range.map { String(groups[$0], radix: 16) }.joined(separator: ":") }
        return best.isEmpty ? "[" + hex(0..<8) + "]" : "[" + hex(0..<best.lowerBound) + "::" + hex(best.upperBound..<8) + "]"
    }

    private static func groups(_ text: String) -> [UInt16]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard text.utf8.count <= 64, halves.count <= 2 else { return nil }
        guard let head = run(halves[0], mayEndInIPv4: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return head.count == 8 ? head : nil }
        guard let tail = run(halves[1], mayEndInIPv4: true), head.count + tail.count < 8 else { return nil }
        return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func run(_ text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if part.contains("."), index == parts.count - 1, mayEndInIPv4 {
                let bytes = part.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
                // Only plain decimal: no leading zero, no sign.
                guard bytes.count == 4, !bytes.contains(nil), bytes.map({ String($0 ?? 0) }).joined(separator: ".") == part else { return nil }
                groups.append(UInt16(bytes[0] ?? 0) << 8 | UInt16(bytes[1] ?? 0))
                groups.append(UInt16(bytes[2] ?? 0) << 8 | UInt16(bytes[3] ?? 0))
                continue
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16) else { return nil }
            groups.append(group)
        }
        return groups
    }
}
