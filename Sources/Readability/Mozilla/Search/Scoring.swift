import HTML

/// Scores of paragraphs, added to their ancestors.
struct Scoring {
    let weighsClasses: Bool
    /// The body, if it scored in an earlier attempt. It is the only element that persists between attempts, and it is a
    /// candidate only in the first: later attempts look for something smaller.
    let excludedCandidate: NodeID?
    /// Scores by the node's row; NaN for a node without a score. Nodes created later have none.
    private var points: [Double] = []
    /// All nodes with a score, in the order in which they got the first.
    private(set) var candidates: [NodeID] = []

    init(weighsClasses: Bool, excludedCandidate: NodeID? = nil) {
        self.weighsClasses = weighsClasses
        self.excludedCandidate = excludedCandidate
    }

    func score(of node: NodeID) -> Double? {
        let row = node.row
        guard row < points.count, !points[row].isNaN else { return nil }
        return points[row]
    }

    mutating func set(_ node: NodeID, to score: Double) {
        let row = node.row
        if row >= points.count { points += Array(repeating: .nan, count: row + 1 - points.count) }
        points[row] = score
    }

    /// Sets a node's initial score from its tag, class and id.
    mutating func initialise(_ node: NodeID, in document: Document) {
        set(node, to: Scoring.startingPoints(document.tag(node)) + weight(of: node, in: document))
    }

    private func weight(of node: NodeID, in document: Document) -> Double {
        weighsClasses ? Double(ClassWeight.of(node, in: document)) : 0
    }

    private static func startingPoints(_ tag: Tag) -> Double {
        switch tag {
        case .div: 5
        case .pre, .td, .blockquote: 3
        case .address, .ol, .ul, .dl, .dd, .dt, .li, .form: -3
        case .h1, .h2, .h3, .h4, .h5, .h6, .th: -5
        default: 0
        }
    }

    mutating func score(_ paragraphs: [NodeID], in document: Document) {
        points = Array(repeating: .nan, count: document.nodeCount)
        for paragraph in paragraphs {
            guard let parent = document.parent(paragraph), document.isElement(parent) else { continue }
            let measure = document.measure(paragraph)
            guard measure.length >= Vocabulary.minScoredLength else { continue }
            // One point for the paragraph, one per comma-separated part, one per 100 characters up to 3.
            let score = 1 + Double(measure.commas + 1) + Double(min(measure.length / 100, 3))
            distribute(score, toAncestorsOf: paragraph, in: document)
        }
    }

    /// The parent gets the whole score, the grandparent half, and an ancestor n ≥ 2 levels above the parent 1/(3n) of
    /// it.
    private mutating func distribute(_ score: Double, toAncestorsOf paragraph: NodeID, in document: Document) {
        for (level, ancestor) in document.ancestors(paragraph, limit: Vocabulary.ancestorsScored).enumerated() {
            guard document.isElement(ancestor), let above = document.parent(ancestor), document.isElement(above) else {
                continue
            }
            if self.score(of: ancestor) == nil {
                initialise(ancestor, in: document)
                if ancestor != excludedCandidate { candidates.append(ancestor) }
            }
            let divider = level == 0 ? 1.0 : level == 1 ? 2.0 : Double(level * 3)
            set(ancestor, to: (self.score(of: ancestor) ?? 0) + score / divider)
        }
    }
}
