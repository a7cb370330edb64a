/// Markdown of HTML: CommonMark with the tables and strike-through of GitHub.
///
/// Source: https://spec.commonmark.org/0.31.2/ and https://github.github.com/gfm/#tables-extension-
public enum Markdown {
    /// The Markdown of everything below a node, ending in a line feed unless it is empty.
    public static func render(_ document: Document, _ scope: NodeID) -> String {
        var writer = MarkdownWriter()
        var walk = MarkdownWalk(document: document)
        walk.run(below: scope, into: &writer)
        return writer.finish()
    }
}

/// Walks HTML and tells the writer what begins and ends.
private struct MarkdownWalk {
    let document: Document

    private static let blocks: TagSet = [
        .address, .article, .aside, .body, .center, .dd, .details, .div, .dl, .dt, .figcaption, .figure, .footer, .form,
        .header, .hgroup, .main, .nav, .p, .section, .summary, .caption, .table, .tbody, .thead, .tfoot, .tr, .td, .th,
    ]
    private static let skipped: TagSet = [
        .script, .style, .template, .noscript, .head, .title, .iframe, .object, .input, .select, .textarea, .button,
        .rp,
    ]

    mutating func run(below scope: NodeID, into writer: inout MarkdownWriter) {
        var current = document.firstChild(scope)
        while let node = current {
            let goesIn = begin(node, &writer)
            if goesIn, let child = document.firstChild(node) {
                current = child
                continue
            }
            if goesIn { end(node, &writer) }
            current = nil
            var closing = node
            while let parent = document.parent(closing) {
                if let sibling = document.nextSibling(closing) {
                    current = sibling
                    break
                }
                if parent == scope { break }
                end(parent, &writer)
                closing = parent
            }
        }
    }

    /// Writes what a node begins with; false when its inside is written already or not at all.
    private func begin(_ node: NodeID, _ writer: inout MarkdownWriter) -> Bool {
        if document.isText(node) {
            writer.addText(document.textContent(node))
            return false
        }
        let tag = document.tag(node)
        if MarkdownWalk.skipped.contains(tag) || document.isSVG(node) { return false }
        switch tag {
        case .h1, .h2, .h3, .h4, .h5, .h6: writer.beginHeading(level: Int(tag.rawValue - Tag.h1.rawValue) + 1)
        case .blockquote: writer.beginQuote()
        case .ul, .menu, .dir: writer.beginList(from: nil)
        case .ol: writer.beginList(from: Int(document.attribute(node, .start) ?? "") ?? 1)
        case .li: writer.beginItem()
        case .hr: writer.addRule()
        case .br: writer.addLineBreak()
        case .pre:
            writer.addCode(preformatted(node), language: language(of: node))
            return false
        case .code, .kbd, .samp, .tt:
            writer.addCodeSpan(document.innerText(node))
            return false
        case .img:
            writer.addImage(
                document.attribute(node, .src) ?? "", text: document.attribute(node, .alt) ?? "")
        case .table:
            guard let rows = MarkdownTable.rows(of: node, in: document) else { fallthrough }
            if let caption = document.first([.caption], below: node) {
                writer.addParagraph(document.innerText(caption))
            }
            writer.addTable(rows)
            return false
        case _ where MarkdownWalk.blocks.contains(tag): writer.endBlock()
        default:
            if let mark = mark(of: node, tag) { writer.beginMark(mark) }
        }
        return true
    }

    private func end(_ node: NodeID, _ writer: inout MarkdownWriter) {
        let tag = document.tag(node)
        switch tag {
        case .h1, .h2, .h3, .h4, .h5, .h6: writer.endBlock()
        case .blockquote: writer.endContainer()
        case .ul, .ol, .menu, .dir: writer.endList()
        case .li: writer.endContainer()
        case _ where MarkdownWalk.blocks.contains(tag): writer.endBlock()
        default:
            if mark(of: node, tag) != nil { writer.endMark() }
        }
    }

    private func mark(of node: NodeID, _ tag: Tag) -> MarkdownWriter.Mark? {
        switch tag {
        case .b, .strong: .strong
        case .i, .em, .cite, .dfn, .var: .emphasis
        case .del, .s, .strike: .deleted
        case .a: document.attribute(node, .href).map { .link($0) }
        default: nil
        }
    }

    /// The text as it stands, line breaks as line feeds.
    private func preformatted(_ node: NodeID) -> String {
        var text: [UInt8] = []
        document.forEachNode(below: node) { inner in
            if document.isText(inner) { text += document.text(of: inner) }
            let breaksLine =
                document.tag(inner) == .br || (TextRenderer.blocks.contains(document.tag(inner)) && text.last != 0x0A)
            if breaksLine && !text.isEmpty { text.append(0x0A) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The language of code, as highlighters write it into the class: `language-swift`, `lang-swift`.
    private func language(of node: NodeID) -> String {
        let classes = [node, document.onlyChildElement(node)].compactMap { $0 }
            .compactMap { document.attribute($0, .class) }.joined(separator: " ")
        for name in classes.split(separator: " ") {
            for prefix in ["language-", "lang-"] where name.hasPrefix(prefix) {
                return String(name.dropFirst(prefix.count))
            }
        }
        return ""
    }
}

/// Tables that Markdown can say: rows of cells with nothing but running text in them.
enum MarkdownTable {
    private static let blocks: TagSet = [
        .table, .ul, .ol, .pre, .blockquote, .h1, .h2, .h3, .h4, .h5, .h6, .hr, .dl, .figure,
    ]

    /// The cells' Markdown row by row; nil for a table that has to be written as blocks.
    static func rows(of table: NodeID, in document: Document) -> [[String]]? {
        guard !document.contains(blocks, below: table) else { return nil }
        let rows = document.elements([.tr], below: table).map { row in
            document.childElements(row).filter { document.tag($0) == .td || document.tag($0) == .th }.map { cell in
                var writer = MarkdownWriter()
                var walk = MarkdownWalk(document: document)
                walk.run(below: cell, into: &writer)
                return writer.finishOnOneLine()
            }
        }.filter { !$0.isEmpty }
        // A table of one column arranges the page; its cells are better paragraphs.
        guard let columns = rows.map(\.count).max(), columns > 1 else { return nil }
        return rows.map { $0 + Array(repeating: "", count: columns - $0.count) }
    }
}
