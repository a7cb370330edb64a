import HTML

/// What stands around a headline: the line with the author, the line with the date.
struct NearHeadline {
    /// Texts of elements that call themselves an author's.
    private(set) var bylines: [String] = []
    /// Texts of elements that call themselves a date's.
    private(set) var datelines: [String] = []

    /// Words in classes and ids, in several languages.
    private static let byline = WordPattern("byline author autor auteur autore redacteur writer contributor signature firma skribent")
    private static let dateline = WordPattern("date publish pubdate posted time datum fecha datelin veroeffentlicht data-pub")
    /// Elements looked at from the headline on: what is farther away is another's.
    private static let farthest = 400
    /// How far above the headline it begins: names and dates stand over it, too.
    private static let levelsAbove = 3
    /// Bytes of such a line.
    private static let longest = 240
    private static let most = 8

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

    private mutating func take(_ node: NodeID, _ document: Document) {
        guard document.has(node, .class) || document.has(node, .id) else { return }
        let names = document.classAndID(node)
        if bylines.count < Self.most, Self.byline.matches(names), let text = document.shortText(node, most: Self.longest) { bylines.append(text) }
        if datelines.count < Self.most, Self.dateline.matches(names), let text = document.shortText(node, most: Self.longest) { datelines.append(text) }
    }
}
