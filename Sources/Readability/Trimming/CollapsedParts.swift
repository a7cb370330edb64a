import HTML

/// Parts of a page that its buttons show and hide: answers, steps, more text. They are opened, and their buttons become
/// headings.
enum CollapsedParts {
    static func open(in document: inout Document) {
        let namesParts = document.knows(attribute: "aria-controls")
        guard namesParts || document.knows(attribute: "aria-expanded") else { return }
        let parts = namesParts ? controlled(in: document) : [:]
        for button in document.elements([.button], below: document.root) {
            let name = document.attribute(button, named: "aria-controls")
            guard name != nil || document.attribute(button, named: "aria-expanded") != nil else { continue }
            guard let part = name.flatMap({ parts[$0] }) ?? following(button, in: document),
                !document.isInside(button, part),
                !document.isBlank(button), CleaningExemption.applies(to: part, in: document)
            else { continue }
            for attribute in [AttributeName.hidden, .ariaHidden, .style] { document.remove(part, attribute) }
            let isInHeading = document.parent(button).map { headings.contains(document.tag($0)) } ?? false
            document.rename(button, to: isInHeading ? .span : .h3)
        }
    }

    private static let headings: TagSet = [.h1, .h2, .h3, .h4, .h5, .h6]

    /// Returns the elements that a button names in `aria-controls`, by id.
    private static func controlled(in document: Document) -> [String: NodeID] {
        let names = document.elements([.button], below: document.root).compactMap {
            document.attribute($0, named: "aria-controls")
        }
        guard !names.isEmpty else { return [:] }
        let wanted = Set(names)
        var parts: [String: NodeID] = [:]
        document.forEachNode(below: document.root) { node in
            guard let id = document.attribute(node, .id), wanted.contains(id), parts[id] == nil else { return }
            parts[id] = node
        }
        return parts
    }

    /// Returns the element after a button, or after the heading that contains it.
    private static func following(_ button: NodeID, in document: Document) -> NodeID? {
        if let next = document.nextElement(button) { return next }
        guard let parent = document.parent(button), headings.contains(document.tag(parent)) else { return nil }
        return document.nextElement(parent)
    }
}
