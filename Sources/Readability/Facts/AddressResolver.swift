import HTML

/// Resolves the URLs written in a page to absolute URLs.
struct AddressResolver {
    private let base: WebAddress?

    init(_ document: Document, url: String) { base = Polish.base(of: document, page: WebAddress(url)) }

    /// Returns the absolute URL; nil if the text is missing, too long or not an http(s) URL.
    func absolute(_ written: String?) -> String? {
        guard let written, written.utf8.count <= 4_096,
            let address = WebAddress(EscapedText.decode(WhiteSpace.trim(written)), relativeTo: base), address.isHTTP
        else { return nil }
        let text = address.text
        return text.utf8.count <= 8_192 ? text : nil
    }
}
