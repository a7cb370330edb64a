/// Renders HTML as plain text. An empty line separates paragraphs; a line break separates other blocks, `br` lines and
/// rows; a tab separates cells; nothing separates inline elements. White space is collapsed as in browsers, except in
/// preformatted text.
public struct TextRenderer: Sendable {
    /// Elements left out with all their content.
    public var omitted: TagSet

    public init(omitting omitted: TagSet = []) { self.omitted = omitted }

    /// Elements that end a line before and after them.
    public static let blocks: TagSet = [
        .address, .article, .aside, .blockquote, .body, .br, .button, .caption, .center, .dd, .details, .dialog, .dir,
        .div,
        .dl, .dt, .fieldset, .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr,
        .html, .iframe, .legend, .li, .main, .menu, .nav, .object, .ol, .option, .p, .pre, .section, .summary, .table,
        .tbody, .td, .textarea, .tfoot, .th, .thead, .title, .tr, .ul, .video, .audio,
    ]
    private static let paragraphs: TagSet = [
        .p, .h1, .h2, .h3, .h4, .h5, .h6, .blockquote, .pre, .ul, .ol, .dl, .table, .figure, .hr, .section, .article,
    ]
    private static let cells: TagSet = [.td, .th]

    public func render(_ document: Document, _ scope: NodeID) -> String {
        var page = TextPage()
        var current: NodeID? = scope
        var open: [NodeID] = []
        var openPreformatted = 0
        while let node = current {
            if document.isText(node) {
                page.add(document.text(of: node), isPreformatted: openPreformatted > 0)
            }
            let tag = document.localTag(node)
            let isOmitted = omitted.contains(tag)
            if document.isElement(node) { page.breakLine(breakKind(tag)) }
            if !isOmitted, let child = document.firstChild(node) {
                open.append(node)
                if tag == .pre { openPreformatted += 1 }
                current = child
                continue
            }
            if document.isElement(node) && tag != .br { page.breakLine(breakKind(tag)) }
            current = nil
            var closing = node
            while closing != scope {
                if let sibling = document.nextSibling(closing) {
                    current = sibling
                    break
                }
                guard let parent = open.popLast() else { break }
                if document.localTag(parent) == .pre { openPreformatted -= 1 }
                page.breakLine(breakKind(document.localTag(parent)))
                closing = parent
            }
        }
        return String(decoding: page.text, as: UTF8.self)
    }

    private func breakKind(_ tag: Tag) -> TextPage.Break {
        if TextRenderer.cells.contains(tag) { return .cell }
        if TextRenderer.paragraphs.contains(tag) { return .paragraph }
        return TextRenderer.blocks.contains(tag) ? .line : .none
    }
}

/// Text under construction. Breaks are deferred and written when text follows.
private struct TextPage {
    enum Break: Int { case none, cell, line, paragraph }

    private(set) var text: [UInt8] = []
    private var pendingBreak = Break.none
    private var hasPendingSpace = false

    mutating func breakLine(_ kind: Break) {
        guard kind != .none else { return }
        hasPendingSpace = false
        if kind.rawValue > pendingBreak.rawValue { pendingBreak = kind }
    }

    mutating func add(_ content: [UInt8], isPreformatted: Bool) {
        if isPreformatted {
            guard !content.isEmpty else { return }
            writePending()
            text += content
            return
        }
        for byte in content {
            if WhiteSpace.isASCII(byte) {
                hasPendingSpace = true
            } else {
                writePending()
                text.append(byte)
            }
        }
    }

    private mutating func writePending() {
        if !text.isEmpty {
            switch pendingBreak {
            case .none: if hasPendingSpace && text.last != 0x0A { text.append(0x20) }
            case .cell: text.append(0x09)
            case .line, .paragraph:
                // Preformatted text may already end with line feeds.
                while text.last == 0x0A { text.removeLast() }
                text += pendingBreak == .line ? [0x0A] : [0x0A, 0x0A]
            }
        }
        pendingBreak = .none
        hasPendingSpace = false
    }
}
