import HTML

/// The quick test whether a page is probably an article: it has enough paragraphs of some length.
enum Readerable {
    /// The minimum length of a paragraph, and the score to reach; a paragraph adds the square root of its surplus
    /// length. Source: Mozilla Readability, Readability-readerable.js.
    private static let minLength = 140
    private static let pointsNeeded = 20.0

    static func isProbably(_ document: Document) -> Bool {
        var points = 0.0
        for node in candidates(in: document) {
            guard document.isProbablyShown(node), !isUnlikely(node, in: document),
                !isParagraphOfList(node, in: document)
            else { continue }
            let length = WhiteSpace.trim(document.textContent(node)).utf16.count
            guard length >= minLength else { continue }
            points += Double(length - minLength).squareRoot()
            if points > pointsNeeded { return true }
        }
        return false
    }

    /// Returns paragraphs and the like, and every `div` whose lines are separated by breaks.
    private static func candidates(in document: Document) -> [NodeID] {
        var found = document.elements([.p, .pre, .article], below: document.root)
        var known = Set(found)
        for lineBreak in document.elements([.br], below: document.root) {
            if let parent = document.parent(lineBreak), document.tag(parent) == .div, known.insert(parent).inserted {
                found.append(parent)
            }
        }
        return found
    }

    private static func isUnlikely(_ node: NodeID, in document: Document) -> Bool {
        let words = document.classAndID(node)
        return Vocabulary.unlikely.matches(words) && !Vocabulary.maybeAfterAll.matches(words)
    }

    private static func isParagraphOfList(_ node: NodeID, in document: Document) -> Bool {
        document.tag(node) == .p && document.ancestors(node).contains { document.tag($0) == .li }
    }
}
