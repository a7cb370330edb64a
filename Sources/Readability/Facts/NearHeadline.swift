import HTML

/// Collects the lines around a headline that may name the author or the date.
struct NearHeadline {
    /// Texts of elements whose class or id names an author.
    private(set) var bylines: [String] = []
    /// Texts of elements whose class or id names a date.
    private(set) var datelines: [String] = []
    /// Short lines of elements of any class.
    private(set) var lines: [String] = []

    /// Words in classes and ids, in several languages.
    private static let byline = WordPattern("byline author autor auteur autore redacteur writer contributor firma skribent")
    private static let dateline = WordPattern("date publish pubdate posted time datum fecha datelin veroeffentlicht data-pub")
    /// The number of elements to examine. Elements farther away belong to other content.
    private static let farthest = 400
    /// The number of levels above the headline at which the search starts: names and dates also stand before the
    /// headline.
    private static let levelsAbove = 3
    /// In bytes, for a line of a named element.
    private static let longest = 240
    private static let most = 8
    private static let mostLines = 40
    /// In bytes, for a line that holds only a name or a date.
    private static let longestLine = 100
    private static let parts: TagSet = [.p, .div, .span, .dd, .li, .td, .tr, .tbody, .table, .ul, .font, .center, .br, .pre, .code]
    /// The elements that can form a line.
    private static let lineTags: TagSet = [.p, .div, .span, .dd, .li, .td, .font, .small, .em, .i, .b, .strong, .address, .center, .h4, .h5, .h6]

    init(_ headline: NodeID?, in document: Document) {
        guard let body = document.body else { return }
        var start = headline ?? body
        for _ in 0..<Self.levelsAbove {
            guard headline != nil, let parent = document.parent(start), parent != body, parent != document.root else { break }
            start = parent
        }
        var visited = 0
        var current: NodeID? = start
        while let node = current, visited < Self.farthest {
            guard document.isElement(node) else {
                current = document.next(after: node, within: body)
                continue
            }
            visited += 1
            let tag = document.tag(node)
            if [.nav, .aside, .form, .script, .style, .ul].contains(tag), node != start, tag != .ul || visited > 200 {
                current = document.next(skipping: node, within: body)
                continue
            }
            take(node, document)
            current = document.next(after: node, within: body)
        }
    }

    /// Whether an element is a single line and has no lines or blocks as children.
    private func isLine(_ node: NodeID, _ document: Document) -> Bool {
        var child = document.firstChild(node)
        for _ in 0..<Self.mostLines {
            guard let here = child else { return true }
            if Self.parts.contains(document.tag(here)) { return false }
            child = document.nextSibling(here)
        }
        return false
    }

    private mutating func take(_ node: NodeID, _ document: Document) {
        if lines.count < Self.mostLines, Self.lineTags.contains(document.tag(node)), isLine(node, document), let line = document.shortText(node, most: Self.longestLine) {
            lines.append(line)
        }
        guard document.has(node, .class) || document.has(node, .id) else { return }
        let names = document.classAndID(node)
        if bylines.count < Self.most, Self.byline.matches(names), let text = document.shortText(node, most: Self.longest) { bylines.append(text) }
        if datelines.count < Self.most, Self.dateline.matches(names), let text = document.shortText(node, most: Self.longest) { datelines.append(text) }
    }
}
