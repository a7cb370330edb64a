/// The style sheet of a book. It says little, because readers choose fonts, sizes and margins themselves. The
/// cover has no line height: with one it is higher than the page, and MuPDF adds an empty page before it.
enum StyleSheet {
    static let css = """
        body { margin: 0; line-height: 1.4; }
        h1, h2, h3, h4, h5, h6 { line-height: 1.2; page-break-after: avoid; break-after: avoid; }
        header { margin-bottom: 2em; }
        .about, .source { margin: 0.3em 0; font-size: 0.9em; }
        .source { overflow-wrap: anywhere; }
        .cover { text-align: center; line-height: 0; }
        .cover img { max-width: 100%; max-height: 100%; }
        img { max-width: 100%; height: auto; }
        figure { margin: 1em 0; page-break-inside: avoid; break-inside: avoid; }
        figcaption { font-size: 0.9em; }
        blockquote { margin: 1em 1.5em; }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85em; }
        code, kbd, samp { font-family: monospace; }
        table { border-collapse: collapse; }
        td, th { border: 1px solid; padding: 0.2em 0.5em; vertical-align: top; text-align: start; }
        mark { background-color: #ffef9e; color: #000; }
        a { overflow-wrap: anywhere; }

        """
}
