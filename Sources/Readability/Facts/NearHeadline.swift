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
    private static let byline = WordPattern(
        "byline author autor auteur autore redacteur writer contributor firma skribent")
    private static let dateline = WordPattern(
        "date publish pubdate posted time datum fecha datelin veroeffentlicht data-pub")
    /// The number of elements to examine. Elements farther away belong to other content.
    private static let maxElements = 400
    /// The number of levels above the headline at which the search starts: names and dates also stand before the
    /// headline.
    private static let levelsAbove = 3
    /// In bytes, for a line of a named element.
    private static let maxElementBytes = 240
    private static let maxNamedTexts = 8
    private static let maxLines = 40
    /// In bytes, for a line that holds only a name or a date.
    private static let maxLineBytes = 100
    private static let parts: TagSet = [
        .p, .div, .span, .dd, .li, .td, .tr, .tbody, .table, .ul, .font, .center, .br, .pre, .code,
    ]
    /// The elements that can form a line.
    private static let lineTags: TagSet = [
        .p, .div, .span, .dd, .li, .td, .font, .small, .em, .i, .b, .strong, .address, .center, .h4, .h5, .h6,
    ]

    init(_ headline: NodeID?, in document: Document) {
        guard let body = document.body else { return }
        var start = headline ?? body
        for _ in 0..<Self.levelsAbove {
            guard headline != nil, let parent = document.parent(start), parent != body, parent != document.root else {
                break
            }
            start = parent
        }
        var visited = 0
        var current: NodeID? = start
        while let node = current, visited < Self.maxElements {
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
            if node != start, document.isByAnother(node), !(headline.map { document.isInside($0, node) } ?? false) {
                current = document.next(skipping: node, within: body)
                continue
            }
            record(node, document)
            current = document.next(after: node, within: body)
        }
    }

    /// Whether an element is a single line and has no lines or blocks as children.
    private func isLine(_ node: NodeID, _ document: Document) -> Bool {
        var child = document.firstChild(node)
        for _ in 0..<Self.maxLines {
            guard let here = child else { return true }
            if Self.parts.contains(document.tag(here)) { return false }
            child = document.nextSibling(here)
        }
        return false
    }

    private mutating func record(_ node: NodeID, _ document: Document) {
        if lines.count < Self.maxLines, Self.lineTags.contains(document.tag(node)), isLine(node, document),
            let line = document.shortText(node, maxBytes: Self.maxLineBytes)
        {
            lines.append(line)
        }
        guard document.has(node, .class) || document.has(node, .id) else { return }
        let names = document.classAndID(node)
        if bylines.count < Self.maxNamedTexts, Self.byline.matches(names),
            let text = document.shortText(node, maxBytes: Self.maxElementBytes)
        {
            bylines.append(text)
        }
        if datelines.count < Self.maxNamedTexts, Self.dateline.matches(names),
            let text = document.shortText(node, maxBytes: Self.maxElementBytes)
        {
            datelines.append(text)
        }
    }
}

extension Document {
    /// Class names of quotations, in English and German.
    private static let quotations = WordPattern("pullquote blockquote testimonial statement zitat")
    /// The number of levels above a name at which comments and quotations are searched.
    private static let levelsOfComments = 6
    private static let levelsOfQuotations = 2

    /// The class names of a post. WordPress writes the tags of the post beside them, such as `tag-comments`.
    private static let posts = WordPattern("hentry type-post")

    /// Whether an element is a comment or a list of comments, whose authors did not write the article.
    private func isComment(_ node: NodeID) -> Bool {
        tag(node) != .body && BlockHints.of(node, in: self).contains(.comments)
            && !attribute(node, .class, satisfies: { Self.posts.matches($0) })
    }

    private func isQuotation(_ node: NodeID) -> Bool {
        tag(node) == .blockquote
            || tag(node) != .body && attribute(node, .class, satisfies: { Self.quotations.matches($0) })
    }

    /// Whether an element is a comment or a quotation.
    fileprivate func isByAnother(_ node: NodeID) -> Bool { isComment(node) || isQuotation(node) }

    /// Whether a name is that of a person who comments or is quoted.
    func namesAnother(_ name: NodeID) -> Bool {
        isByAnother(name)
            || ancestors(name, limit: Self.levelsOfComments).enumerated().contains { level, node in
                isComment(node) || level < Self.levelsOfQuotations && isQuotation(node)
            }
    }
}
