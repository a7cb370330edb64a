/// Gives the elements of a book their ids. Every id is used once in the whole book, and only elements that a link or
/// the table of contents leads to have one.
struct BookIDs: Sendable {
    private var count = 0
    /// Of the current article: the ids that links lead to, with their ids in the book.
    private var targets: [String: String] = [:]
    private var used: Set<String> = []

    /// - Parameter targets: the ids of the article that its links lead to.
    mutating func beginArticle(targets wanted: Set<String>) {
        targets = [:]
        used = []
        for target in wanted.sorted() { targets[target] = next() }
    }

    mutating func next() -> String {
        count += 1
        return "n\(count)"
    }

    /// The id of an element with this id in the article; nil if no link leads there, or another element has it.
    mutating func id(of written: String?) -> String? {
        guard let written, let id = targets[written], used.insert(written).inserted else { return nil }
        return id
    }

    /// The reference to the element with this id in the article.
    func link(to target: String) -> String? { targets[target].map { "#" + $0 } }
}
