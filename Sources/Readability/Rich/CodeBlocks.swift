import HTML

/// Turns every code block into one `pre` with its language and nothing but its lines. Line numbers, buttons and
/// highlighting elements are removed; the article search would mistake their classes for those of comments.
enum CodeBlocks {
    /// Classes of elements beside the code, such as line numbers and copy buttons.
    private static let sideNames: Set<String> = [
        "line-number", "line-numbers", "linenumber", "linenumbers", "lineno", "linenos", "linenodiv",
        "line-numbers-rows", "gutter", "rouge-gutter", "blob-num", "hljs-ln-numbers", "hljs-ln-n", "crayon-nums",
        "codemirror-linenumber", "react-syntax-highlighter-line-number", "code-line-number", "code__line-number", "ln",
        "lnt", "lntd-number", "line_number", "line_numbers", "copy", "copy-btn", "copy-button", "copy-code",
        "copy-code-button", "btn-copy", "btn-clipboard", "clipboard", "clipboard-copy", "copybtn", "code-toolbar-item",
        "toolbar-item", "code-copy", "zeroclipboard-container",
    ]
    /// Classes of cells and elements that hold one line of code each.
    private static let lineNames: Set<String> = [
        "line", "code-line", "cl", "view-line", "hljs-ln-line", "hljs-ln-code", "blob-code", "crayon-line",
        "token-line", "ec-line", "cm-line", "codemirror-line",
    ]
    /// Elements that mean nothing without their classes, such as those for highlighting.
    private static let highlightingTags: TagSet = [.span, .font, .div, .label, .tt]

    static func normalize(_ elements: RichElements, in document: inout Document) {
        for table in elements.tables { replaceTable(table, in: &document) }
        for code in elements.codeBlocks where document.parent(code) != nil { normalizeBlock(code, in: &document) }
    }

    // MARK: Tables of lines

    /// Only rows with at most this many cells are examined.
    private static let maxCells = 4

    /// Replaces a table of line numbers and code with the code.
    private static func replaceTable(_ table: NodeID, in document: inout Document) {
        guard document.parent(table) != nil, let cell = document.first([.td, .th], below: table),
            let row = document.parent(cell),
            document.tag(row) == .tr
        else { return }
        let cells = document.childElements(row)
        guard cells.count >= 2, cells.count <= maxCells, let last = cells.last, holdsLineNumbers(cell, in: document),
            isCode(last, in: document)
        else {
            return
        }
        var lines: [[UInt8]] = []
        for row in document.elements([.tr], below: table) {
            guard let last = document.lastChildElement(row) else { continue }
            lines.append(text(of: last, in: document))
        }
        let code = document.makeElement(.pre)
        let inner = document.makeElement(.code)
        let language =
            document.first([.pre], below: last).flatMap { CodeLanguage.of($0, in: document) }
            ?? language(around: table, in: document)
        if let language { document.set(code, named: CodeLanguage.attribute, to: language) }
        document.append(document.makeText(Array(lines.joined(separator: [0x0A]))), to: inner)
        document.append(inner, to: code)
        document.set(code, RichContent.mark, to: "")
        if let outer = document.parent(table), document.tag(outer) == .pre {
            document.replace(outer, with: code)
        } else {
            document.replace(table, with: code)
        }
    }

    /// Whether a cell holds line numbers, by its class or its attributes.
    private static func holdsLineNumbers(_ cell: NodeID, in document: Document) -> Bool {
        if ClassWords(of: cell, in: document).hasName(of: sideNames) { return true }
        if document.attribute(cell, named: "data-line-number") != nil { return true }
        return false
    }

    private static func isCode(_ cell: NodeID, in document: Document) -> Bool {
        document.contains([.pre, .code], below: cell)
            || ClassWords(of: cell, in: document).hasName(of: lineNames.union(["code", "crayon-code", "rouge-code"]))
    }

    private static func language(around table: NodeID, in document: Document) -> String? {
        ([table] + document.ancestors(table, limit: 3)).compactMap { CodeLanguage.of($0, in: document) }.first
    }

    // MARK: One piece of code

    private static func normalizeBlock(_ code: NodeID, in document: inout Document) {
        removeSideElements(code, in: &document)
        let language = CodeLanguage.of(code, in: document)
        let isCode = language != nil || document.contains([.code], below: code)
        let text = text(of: code, in: document)
        // An element that contains links or emphasis is preformatted text, and its markup may carry meaning.
        if isCode || !document.contains([.a, .b, .strong, .i, .em, .img, .sup, .sub, .u, .mark], below: code) {
            let hadCode = document.contains([.code], below: code)
            for child in document.children(code) { document.detach(child) }
            let inner = hadCode ? document.makeElement(.code) : code
            document.append(document.makeText(text), to: inner)
            if hadCode { document.append(inner, to: code) }
        } else {
            for span in document.elements(highlightingTags, below: code) { document.unwrap(span) }
        }
        if let language { document.set(code, named: CodeLanguage.attribute, to: language) }
        if isCode { document.set(code, RichContent.mark, to: "") }
    }

    private static func removeSideElements(_ code: NodeID, in document: inout Document) {
        for node in document.elements(below: code, where: { document.has($0, .class) || document.tag($0) == .button }) {
            guard document.tag(node) == .button || ClassWords(of: node, in: document).hasName(of: sideNames) else {
                continue
            }
            // Remove only numbers: some pages name a whole code block after the line numbers in it.
            guard document.tag(node) == .button || isNumber(node, in: document) else { continue }
            document.detach(node)
        }
    }

    /// Whether an element is short, or holds nothing but digits and white space.
    private static func isNumber(_ node: NodeID, in document: Document) -> Bool {
        if document.trimmedLength(node, countingTo: 24) < 24,
            !ClassWords(of: node, in: document).hasName(of: ["line-numbers", "linenos"])
        {
            return true
        }
        return document.text(of: node).allSatisfy { WhiteSpace.isASCII($0) || ($0 >= 0x30 && $0 <= 0x39) }
    }

    /// Returns the lines as displayed: if each line is an element, a line feed is inserted between them.
    private static func text(of node: NodeID, in document: Document) -> [UInt8] {
        let hasLineEnds = document.text(of: node).dropLast().contains(0x0A)
        var text: [UInt8] = []
        var isFirst = true
        document.forEachNode(below: node) { inner in
            if document.isText(inner) {
                document.withText(inner) { text.append(contentsOf: $0) }
                return
            }
            let tag = document.tag(inner)
            let isBlock = TextRenderer.blocks.contains(tag) && tag != .pre
            let isLine =
                !hasLineEnds && !isBlock && document.has(inner, .class)
                && ClassWords(of: inner, in: document).hasName(of: lineNames)
            if tag == .br || ((isBlock || isLine) && !isFirst && text.last != 0x0A) { text.append(0x0A) }
            if isBlock || isLine { isFirst = false }
        }
        while text.last == 0x0A || text.last == 0x20 { text.removeLast() }
        return text
    }
}

extension Document {
    fileprivate func lastChildElement(_ node: NodeID) -> NodeID? {
        guard let last = lastChild(node) else { return nil }
        return isElement(last) ? last : previousElement(last)
    }
}
