import HTML

/// Parts of the article that wait outside the tree while it is searched for.
struct Placeholders {
    private var parts: [NodeID] = []

    /// An empty figure to stand for a part.
    mutating func figure(for part: NodeID, in document: inout Document) -> NodeID { make(.figure, for: part, in: &document) }

    /// Running text to stand for a part within a line.
    mutating func text(_ text: String, for part: NodeID, in document: inout Document) -> NodeID {
        let standIn = make(.code, for: part, in: &document)
        document.append(document.makeText(text), to: standIn)
        return standIn
    }

    private mutating func make(_ tag: Tag, for part: NodeID, in document: inout Document) -> NodeID {
        let standIn = document.makeElement(tag)
        document.set(standIn, RichContent.mark, to: String(parts.count))
        parts.append(part)
        return standIn
    }

    /// The part an element stands for.
    func part(of standIn: NodeID, in document: Document) -> NodeID? {
        guard let written = document.attribute(standIn, RichContent.mark), let index = Int(written), parts.indices.contains(index) else {
            return nil
        }
        return parts[index]
    }

    /// Puts the parts into their places. A part that is in its place already stays there, whatever the page writes.
    func resolve(below content: NodeID, in document: inout Document) {
        for standIn in document.elements([.figure, .code], below: content) {
            guard let part = part(of: standIn, in: document), document.parent(part) == nil else { continue }
            document.replace(standIn, with: part)
        }
    }
}
