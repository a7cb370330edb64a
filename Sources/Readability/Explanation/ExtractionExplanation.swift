import JSON

/// Tells for every block of a page whether it is part of the article, and which rule decided that.
public struct ExtractionExplanation: Sendable {
    public struct Block: Sendable {
        /// The text as one line.
        public var text: String
        /// The innermost block element and three around it, such as `main > div.post > p`.
        public var element: String
        public var words: Int
        /// The share of the text that is link text, from 0 to 1.
        public var linkShare: Double
        public var isKept = false
        /// The rule that removed the block; of a block that is kept, `captions` if it is a caption. `outside`: not in
        /// the chosen element.
        public var rule: String?
        /// The numbers behind the rule's decision.
        public var detail: String?
    }

    /// The number of the search that gave the article, from 1. Each search uses fewer rules than the one before.
    public var attempt = 0
    /// The element that was chosen as the article.
    public var chosen: String?
    /// The elements with the highest scores, the best first.
    public var candidates: [(element: String, score: Double)] = []
    /// In the order of the page.
    public var blocks: [Block] = []

    /// - Parameter textLimit: the number of characters of each block that are shown.
    public func json(textLimit: Int = 120) -> JSON {
        func rounded(_ number: Double) -> JSON { .number((number * 100).rounded() / 100) }
        func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
        return .object([
            .init("attempt", .number(Double(attempt))), .init("chosen", text(chosen)),
            .init(
                "candidates",
                .array(
                    candidates.map {
                        .object([.init("element", .string($0.element)), .init("score", rounded($0.score))])
                    })),
            .init(
                "blocks",
                .array(
                    blocks.map { block in
                        .object([
                            .init("kept", .bool(block.isKept)), .init("rule", text(block.rule)),
                            .init("detail", text(block.detail)), .init("words", .number(Double(block.words))),
                            .init("links", rounded(block.linkShare)), .init("element", .string(block.element)),
                            .init("text", .string(OneLine.of(block.text, limit: textLimit) ?? "")),
                        ])
                    })),
        ])
    }
}
