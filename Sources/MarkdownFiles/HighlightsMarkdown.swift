import Text

/// Highlights as Markdown: each passage as a quotation, and its note below it.
public enum HighlightsMarkdown {
    public static func text(_ highlights: [ExportedLink.Highlight]) -> String {
        var blocks: [String] = []
        for highlight in highlights {
            let quoted = paragraphs(highlight.quote).map { "> \($0)" }
            if !quoted.isEmpty { blocks.append(quoted.joined(separator: "\n>\n")) }
            blocks += highlight.note.map(paragraphs) ?? []
        }
        return blocks.isEmpty ? "" : blocks.joined(separator: "\n\n") + "\n"
    }

    /// The lines of a text, each a paragraph.
    private static func paragraphs(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return words.isEmpty ? nil : PlainMarkdown.paragraph(words)
        }
    }
}

/// Plain text as Markdown that a parser reads as the same text.
public enum PlainMarkdown {
    /// A text whose lines are paragraphs.
    public static func text(_ plain: String) -> String {
        plain.split(whereSeparator: \.isNewline).map { paragraph(String($0)) + "\n" }.joined(separator: "\n")
    }

    /// - Parameter line: one line.
    static func paragraph(_ line: String) -> String {
        var escaped: [UInt8] = []
        var text = line.drop(while: \.isWhitespace)
        text.withUTF8 { MarkdownEscapes.write($0, in: MarkdownEscapes.Context(), to: &escaped) }
        if let place = escaped.withUnsafeBufferPointer(MarkdownEscapes.positionToEscape(inLine:)) {
            escaped.insert(UInt8(ascii: "\\"), at: place)
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
