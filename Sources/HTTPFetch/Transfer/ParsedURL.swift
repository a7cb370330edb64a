import CCurl
import Glibc

/// A URL parsed by libcurl.
struct ParsedURL: ~Copyable {
    private let handle: OpaquePointer

    init?(_ text: String) {
        guard let handle = curl_url() else { return nil }
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else {
            curl_url_cleanup(handle)
            return nil
        }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    // The host as a transfer uses it: unescaped once, when the URL was set.
    var host: String? { part(CURLUPART_HOST, 0).map(Self.withoutBrackets) }
    var asciiHost: String? { Self.inUTF8 { part(CURLUPART_HOST, CURLU_PUNYCODE) }.map(Self.withoutBrackets) }
    var port: UInt16? { part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap(UInt16.init) }

    /// Returns the URL with another host.
    consuming func text(withHost host: String) -> String? {
        curl_url_set(handle, CURLUPART_HOST, host, 0) == CURLUE_OK ? part(CURLUPART_URL, 0) : nil
    }

    private func part(_ part: CURLUPart, _ flags: Int32) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    /// Runs `body` under a UTF-8 locale, because libidn2 reads host names in the thread's character set.
    private static func inUTF8<Value>(_ body: () -> Value) -> Value {
        let before = uselocale(utf8)
        defer { uselocale(before) }
        return body()
    }

    // Unsafe: a locale_t is a pointer. This one is created once, never changed and never freed, and POSIX allows several
    // threads to use one locale. If it cannot be created, `uselocale` leaves the thread's locale as it is.
    private nonisolated(unsafe) static let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
}
