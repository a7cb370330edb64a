import HTML

/// Holds parts of the article outside the tree during the search, with a placeholder element for each.
struct Placeholders {
    private var parts: [NodeID] = []

    /// Returns an empty figure that represents the part.
    mutating func figure(for part: NodeID, in document: inout Document) -> NodeID {
        make(.figure, for: part, in: &document)
    }

    /// Returns inline text that represents a part within a line.
    mutating func text(_ text: String, for part: NodeID, in document: inout Document) -> NodeID {
        let placeholder = make(.code, for: part, in: &document)
        document.append(document.makeText(text), to: placeholder)
        return placeholder
    }

    private mutating func make(_ tag: Tag, for part: NodeID, in document: inout Document) -> NodeID {
        let placeholder = document.makeElement(tag)
        document.set(placeholder, RichContent.mark, to: String(parts.count))
        parts.append(part)
        return placeholder
    }

    /// Returns the part that an element represents.
    func part(of placeholder: NodeID, in document: Document) -> NodeID? {
        guard let written = document.attribute(placeholder, RichContent.mark), let index = Int(written),
            parts.indices.contains(index)
        else {
            return nil
        }
        return parts[index]
    }

    /// Puts the parts back into the tree. A part that is already in the tree stays where it is, so a page cannot misuse
    /// the mark.
    func resolve(below content: NodeID, in document: inout Document) {
        for placeholder in document.elements([.figure, .code], below: content) {
            guard let part = part(of: placeholder, in: document), document.parent(part) == nil else { continue }
            document.replace(placeholder, with: part)
        }
    }
}
