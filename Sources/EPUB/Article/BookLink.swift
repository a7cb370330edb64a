import CICU
import Links

/// Addresses that a link of a book may have.
enum BookLink {
    /// The address as a valid URL, or a reference to an element of the article; nil for any other.
    static func cleaned(_ written: String?) -> String? {
        guard let written, written.utf8.count <= 8_192 else { return nil }
        if written.hasPrefix("#") { return written.utf8.count > 1 ? written : nil }
        guard let address = WebAddress(written) else { return nil }
        let parts = SplitURL(address.text)
        switch address.scheme {
        case "http", "https":
            guard let host = address.hostName, isHost(host), hasPlainUser(parts) else { return nil }
            return valid(address.text)
        case "mailto":
            // Without an address or a query, it is no valid URL.
            return parts.path.isEmpty && parts.query == nil ? nil : valid(address.text)
        default: return nil
        }
    }

    /// The host to which a link of a book leads; nil for a link within the book and for a mail address.
    static func host(of address: String) -> String? { WebAddress(address)?.hostName }

    /// Names and IPv4 addresses, with labels as DNS has them, and IPv6 addresses. Labels are in lower case; EPUBCheck
    /// decodes those that begin with `xn--`.
    private static func isHost(_ host: String) -> Bool {
        guard host.utf8.count <= 253 else { return false }
        if host.hasPrefix("[") { return host.hasSuffix("]") }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.enumerated().allSatisfy { place, label in
            if label.isEmpty { return place == labels.count - 1 && place > 0 }
            return label.utf8.count <= 63 && label.utf8.first != UInt8(ascii: "-")
                && label.utf8.last != UInt8(ascii: "-") && label.utf8.allSatisfy(isHostByte)
                && (!label.hasPrefix("xn--") || cicu_is_valid_label(String(label)) != 0)
        }
    }

    /// Whether the user information has no `@`, which URLs have percent-encoded there.
    private static func hasPlainUser(_ url: SplitURL) -> Bool {
        url.authority.map { $0.utf8.count { $0 == UInt8(ascii: "@") } < 2 } ?? true
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    /// The URL with the characters percent-encoded that browsers leave alone and RFC 3986 does not allow.
    private static func valid(_ url: String) -> String {
        let bytes = Array(url.utf8)
        // The host of an IPv6 address is in brackets; elsewhere they are encoded.
        var output = Array(bytes.prefix(while: { $0 != UInt8(ascii: "]") }) + "]".utf8)
        if !isAddressHost(output) { output = [] }
        var hasFragment = false
        for (place, byte) in bytes.enumerated().dropFirst(output.count) {
            let isEscape =
                byte == UInt8(ascii: "%") && place + 2 < bytes.count && isHex(bytes[place + 1])
                && isHex(bytes[place + 2])
            let isSecondFragment = byte == UInt8(ascii: "#") && hasFragment
            hasFragment = hasFragment || byte == UInt8(ascii: "#")
            if isEscape || (isURLByte(byte) && !isSecondFragment) {
                output.append(byte)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Whether a URL begins with this host: the scheme, two slashes, and hexadecimal digits and colons in brackets.
    private static func isAddressHost(_ start: [UInt8]) -> Bool {
        guard let bracket = start.firstIndex(of: UInt8(ascii: "[")) else { return false }
        return start[..<bracket].elementsEqual("http://".utf8) || start[..<bracket].elementsEqual("https://".utf8)
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    private static let urlBytes = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#@!$&'()*+,;=".utf8)

    private static func isURLByte(_ byte: UInt8) -> Bool { urlBytes.contains(byte) }
}
