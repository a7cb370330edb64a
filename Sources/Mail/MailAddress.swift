import CCurl
import Glibc

/// An e-mail address. It contains no character that could end a line or a pair of angle brackets.
public struct MailAddress: Sendable, Equatable {
    let local: String
    /// The host name in ASCII: labels in other scripts as `xn--…`.
    let host: String

    /// The reason a text is not an address. Does not contain the text.
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// Parses `local@host`. The host is a name in any script, or an IP address in brackets (RFC 5321, section 4.1.3).
    /// Quoted local parts are rejected: they are hardly used, and servers interpret them differently.
    public init(_ text: String) throws(Malformed) {
        guard text.utf8.count <= 254, let at = text.lastIndex(of: "@") else { throw Self.malformed }
        local = String(text[..<at])
        guard (1...64).contains(local.utf8.count), local.unicodeScalars.allSatisfy(Self.isLocal) else {
            throw Self.malformed
        }
        host = try Self.ascii(String(text[text.index(after: at)...]))
    }

    /// An address at the host of an http(s) URL. An IP address is put in brackets.
    public init(atHostOf url: String, local: String) throws(Malformed) {
        guard let parts = curl_url() else { throw Self.malformed }
        defer { curl_url_cleanup(parts) }
        var name: UnsafeMutablePointer<CChar>?
        guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK,
            curl_url_get(parts, CURLUPART_HOST, &name, 0) == CURLUE_OK, let name
        else { throw Self.malformed }
        defer { curl_free(name) }
        let host = String(cString: name)
        if host.hasPrefix("[") {
            try self.init("\(local)@[IPv6:\(host.dropFirst())")
        } else {
            let isAddress = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
            try self.init(isAddress ? "\(local)@[\(host)]" : "\(local)@\(host)")
        }
    }

    /// The address as written in the envelope and in headers.
    public var text: String { local + "@" + host }

    /// Whether the server must support UTF-8 in addresses (RFC 6531). Only the local part counts: it has no ASCII form.
    var needsUTF8: Bool { !local.utf8.allSatisfy { $0 < 0x80 } }

    private static let malformed = Malformed(description: "this is not an e-mail address")

    private static func isLocal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .unassigned: false
        default: !"<>()[],;:\\\"@".unicodeScalars.contains(scalar)
        }
    }

    private static func ascii(_ host: String) throws(Malformed) -> String {
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard host.dropFirst().dropLast().utf8.allSatisfy({ isHost($0) || $0 == UInt8(ascii: ":") })
            else { throw malformed }
            return host
        }
        // libcurl reads names in the encoding of the thread's locale, and a process starts with an ASCII locale.
        let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        let before = utf8.flatMap { uselocale($0) }
        defer {
            if let before { uselocale(before) }
            if let utf8 { freelocale(utf8) }
        }
        guard !host.utf8.contains(0), let url = curl_url() else { throw malformed }
        defer { curl_url_cleanup(url) }
        var name: UnsafeMutablePointer<CChar>?
        guard curl_url_set(url, CURLUPART_HOST, host, 0) == CURLUE_OK,
            curl_url_get(url, CURLUPART_HOST, &name, UInt32(CURLU_PUNYCODE)) == CURLUE_OK, let name
        else { throw malformed }
        defer { curl_free(name) }
        let ascii = String(cString: name)
        guard !ascii.isEmpty, ascii.utf8.allSatisfy(isHost), ascii.first != ".", ascii.first != "-"
        else { throw malformed }
        return ascii
    }

    private static func isHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
