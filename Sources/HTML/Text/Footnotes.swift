/// The footnotes of an article.
public struct Footnotes: Sendable {
    /// The links that refer to notes.
    public private(set) var references: Set<NodeID> = []
    /// The blocks that are notes.
    public private(set) var notes: Set<NodeID> = []

    public init(_ document: Document, _ scope: NodeID) {
        let found = MarkdownNotes(document, scope, links: document.elements([.a], below: scope))
        notes = Set(found.labelOfNote.keys)
        for reference in found.labelOfReference.keys {
            // A raised element that holds nothing but the link stands for it.
            let link = document.tag(reference) == .a ? reference : document.onlyChildElement(reference)
            references.insert(link ?? reference)
        }
    }
}
