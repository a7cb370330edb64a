import CCMark

/// Converts GitHub's Markdown to HTML with cmark-gfm: CommonMark with tables, task lists, footnotes, bare URLs and
/// strikethrough.
enum CommonMark {
    /// - Parameter markdown: the text in UTF-8. Invalid bytes are replaced.
    /// - Returns: HTML. It contains the text's own HTML unchanged, so it must be sanitised before it is shown.
    static func html(_ markdown: [UInt8]) -> [UInt8] {
        registered
        guard let parser = cmark_parser_new(options) else { return [] }
        defer { cmark_parser_free(parser) }
        for name in ["table", "strikethrough", "autolink", "tasklist"] {
            if let found = cmark_find_syntax_extension(name) { cmark_parser_attach_syntax_extension(parser, found) }
        }
        markdown.withUnsafeBytes { cmark_parser_feed(parser, $0.bindMemory(to: CChar.self).baseAddress, $0.count) }
        guard let root = cmark_parser_finish(parser) else { return [] }
        defer { cmark_node_free(root) }
        guard let html = cmark_render_html(root, options, cmark_parser_get_syntax_extensions(parser)) else { return [] }
        defer { free(html) }
        return Array(UnsafeRawBufferPointer(start: html, count: strlen(html)))
    }

    private static let options = Int32(commonmark_options)
    /// Runs once per process, on one thread.
    private static let registered: Void = cmark_gfm_core_extensions_ensure_registered()
}
