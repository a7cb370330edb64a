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
            return IPv6Text.canonical(String(decoding: text.dropFirst().dropLast(), as: UTF8.self)).map {
                Array($0.utf8)[...]
            }
        }
        guard let spelled = text.allSatisfy(isPlain) ? text : ascii(text, map) else { return nil }
        var name = spelled.map(lowercased)[...]
        while name.last == UInt8(ascii: ".") { name.removeLast() }
        guard !name.isEmpty else { return nil }
        if endsInNumber(name) {
            return IPv4Text.canonical(String(decoding: name, as: UTF8.self)).map { Array($0.utf8)[...] }
        }
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
