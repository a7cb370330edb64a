import HTML

/// Points for paragraphs, handed on to the elements around them.
struct Scoring {
    let weighsClasses: Bool
    /// The body, once it has got points in an earlier attempt. It is the one element that outlives the attempts, and it is a
    /// candidate in the first alone: the later ones look for something smaller.
    let formerCandidate: NodeID?
    /// Points by row of the node; NaN where a node has none. Nodes made later have none either.
    private var points: [Double] = []
    /// Every node with points, in the order they got their first.
    private(set) var candidates: [NodeID] = []

    init(weighsClasses: Bool, formerCandidate: NodeID? = nil) {
        self.weighsClasses = weighsClasses
        self.formerCandidate = formerCandidate
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

    /// Gives a node its first points: by its name, its class and id.
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
            guard measure.length >= Vocabulary.shortestScored else { continue }
            // One point for being there, one a comma-parted piece, one for every 100 characters up to 3.
            let score = 1 + Double(measure.commas + 1) + Double(min(measure.length / 100, 3))
            share(score, withAncestorsOf: paragraph, in: document)
        }
    }

    /// The parent gets all, the grandparent half, those above a third of that and less.
    private mutating func share(_ score: Double, withAncestorsOf paragraph: NodeID, in document: Document) {
        for (level, ancestor) in document.ancestors(paragraph, limit: Vocabulary.ancestorsScored).enumerated() {
            guard document.isElement(ancestor), let above = document.parent(ancestor), document.isElement(above) else {
                continue
            }
            if self.score(of: ancestor) == nil {
                initialise(ancestor, in: document)
                if ancestor != formerCandidate { candidates.append(ancestor) }
            }
            let divider = level == 0 ? 1.0 : level == 1 ? 2.0 : Double(level * 3)
            set(ancestor, to: (self.score(of: ancestor) ?? 0) + score / divider)
        }
    }
}
