import CCurl
import Glibc

/// A mailbox that can be written to. Nothing in it can end a line or a pair of angle brackets.
public struct MailAddress: Sendable, Equatable {
    let local: String
    /// As DNS has it: letters of other scripts as `xn--…`.
    let host: String

    /// Why a text is no address; holds no address.
    public struct Malformed: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// `local@host`, the host a name in any script or an address in brackets (RFC 5321, section 4.1.3). Quoted local parts
    /// are not taken: nobody has them, and everybody reads them differently.
    public init(_ text: String) throws(Malformed) {
        guard text.utf8.count <= 254, let at = text.lastIndex(of: "@") else { throw Self.malformed }
        local = String(text[..<at])
        guard (1...64).contains(local.utf8.count), local.unicodeScalars.allSatisfy(Self.isLocal) else { throw Self.malformed }
        host = try Self.ascii(String(text[text.index(after: at)...]))
    }

    /// A mailbox at the host of an http(s) URL; where that is an address, in brackets.
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
            let isAddress = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            try self.init(isAddress ? "\(local)@[\(host)]" : "\(local)@\(host)")
        }
    }

    /// As it stands in the envelope and in a header.
    var text: String { local + "@" + host }

    /// Whether the server must understand UTF-8 in addresses (RFC 6531): the host has another spelling in ASCII, the local
    /// part has none.
    var needsUTF8: Bool { !local.utf8.allSatisfy { $0 < 0x80 } }

    private static let malformed = Malformed(description: "this is no e-mail address")

    private static func isLocal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .unassigned: false
        default: !"<>()[],;:\\\"@".unicodeScalars.contains(scalar)
        }
    }

    private static func ascii(_ host: String) throws(Malformed) -> String {
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard host.dropFirst().dropLast().utf8.allSatisfy({ isHost($0) || $0 == UInt8(ascii: ":") }) else { throw malformed }
            return host
        }
        // libcurl takes names in the letters of the thread's locale, and a process starts with one that has ASCII alone.
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
        let known = String(cString: name)
        guard !known.isEmpty, known.utf8.allSatisfy(isHost), known.first != ".", known.first != "-" else { throw malformed }
        return known
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
