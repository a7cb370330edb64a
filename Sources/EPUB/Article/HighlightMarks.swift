import HTML

/// Where the highlights of an article are in its text nodes.
struct HighlightMarks {
    /// One stretch of text that belongs to a highlight.
    struct Mark: Equatable {
        var range: Range<Int>
        var highlight: Int
    }

    /// In the order of the text, without overlaps: what two highlights share belongs to the first.
    private let marks: [Mark]
    /// The place of each text node, by its row.
    private var starts: [Int32]

    init(_ highlights: [BookHighlight], _ document: Document, _ scope: NodeID) {
        var end = 0
        var marks: [Mark] = []
        let placed = highlights.enumerated().compactMap { index, highlight in
            highlight.place.map { Mark(range: $0, highlight: index) }
        }
        for mark in placed.sorted(by: { ($0.range.lowerBound, $0.highlight) < ($1.range.lowerBound, $1.highlight) }) {
            let start = max(mark.range.lowerBound, end)
            guard start < mark.range.upperBound else { continue }
            marks.append(Mark(range: start..<mark.range.upperBound, highlight: mark.highlight))
            end = mark.range.upperBound
        }
        self.marks = marks
        starts = []
        guard !marks.isEmpty else { return }
        starts = Array(repeating: 0, count: document.nodeCount)
        var place = 0
        document.forEachNode(below: scope) { node in
            guard document.isText(node) else { return }
            starts[node.row] = Int32(place)
            place += document.utf16Length(node)
        }
    }

    /// A text node in pieces, each with the highlight that it belongs to.
    func pieces(of text: String, at node: NodeID) -> [(text: String, highlight: Int?)] {
        guard !marks.isEmpty else { return [(text, nil)] }
        let units = Array(text.utf16)
        let start = Int(starts[node.row])
        var pieces: [(text: String, highlight: Int?)] = []
        var done = 0
        func add(upTo end: Int, _ highlight: Int?) {
            guard end > done else { return }
            pieces.append((String(decoding: units[done..<end], as: UTF16.self), highlight))
            done = end
        }
        for mark in marks[firstIndex(endingAfter: start)...] {
            guard mark.range.lowerBound < start + units.count else { break }
            add(upTo: max(0, mark.range.lowerBound - start), nil)
            add(upTo: min(units.count, mark.range.upperBound - start), mark.highlight)
        }
        add(upTo: units.count, nil)
        return pieces
    }

    private func firstIndex(endingAfter place: Int) -> Int {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].range.upperBound <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
