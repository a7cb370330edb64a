import HTML

/// Removes controls from headings, such as self-links and edit links.
enum HeadingAnchors {
    /// Class names of such links and of the elements around them.
    private static let names: Set<String> = [
        "mw-editsection", "editsection", "headerlink", "header-anchor", "heading-anchor", "anchor", "anchor-link",
        "anchorlink", "anchorjs-link", "permalink", "hash-link", "heading-link", "headline-link", "direct-link",
        "section-link", "edit", "edit-link", "copy-link", "copy-anchor", "octicon-link", "zola-anchor", "toc-anchor",
        "deep-link", "deeplink",
    ]
    /// The number of elements of a heading to examine.
    private static let maxParts = 40
    /// In characters. A longer text is no symbol.
    private static let maxSymbolCharacters = 3

    static func remove(from headings: [NodeID], in document: inout Document) {
        for heading in headings { unwrap(heading, in: &document) }
        for heading in headings where document.firstChildElement(heading) != nil {
            for part in document.elements([.a, .span, .button, .sup, .small, .div], below: heading).prefix(maxParts) {
                guard isControl(part, from: document) else { continue }
                document.detach(part)
            }
        }
    }

    private static let wrappers: TagSet = [.div, .header, .span]

    /// Unwraps an element that contains only a heading and its controls: the search would take it for a box of links.
    private static func unwrap(_ heading: NodeID, in document: inout Document) {
        guard let wrapper = document.parent(heading), wrappers.contains(document.tag(wrapper)),
            document.nextElement(heading) != nil,
            document.previousElement(heading) == nil
        else { return }
        var others = 0
        var current = document.firstChild(wrapper)
        while let child = current {
            if child != heading {
                others += 1
                guard others < maxParts,
                    document.isText(child) ? document.isBlank(child) : isSiblingControl(child, in: document)
                else { return }
            }
            current = document.nextSibling(child)
        }
        document.replace(wrapper, with: heading)
    }

    /// Whether an element beside a heading is a control.
    private static func isSiblingControl(_ part: NodeID, in document: Document) -> Bool {
        guard document.trimmedLength(part, countingTo: 40) < 40, !document.contains([.img], below: part) else {
            return false
        }
        if document.tag(part) == .button || ClassWords(of: part, in: document).hasName(of: names) { return true }
        guard document.tag(part) == .a, document.withBytes(part, .href, { $0.first == UInt8(ascii: "#") }) else {
            return false
        }
        return isSymbol(part, document.trimmedLength(part, countingTo: 40), in: document)
    }

    private static func isControl(_ part: NodeID, from document: Document) -> Bool {
        let tag = document.tag(part)
        if tag == .button { return true }
        let isNamed = ClassWords(of: part, in: document).hasName(of: names)
        let length = document.trimmedLength(part, countingTo: 40)
        guard tag == .a else { return isNamed && length < 40 && tag != .div && holdsLinks(part, in: document) }
        let isWithinPage = document.withBytes(part, .href) { $0.first == UInt8(ascii: "#") }
        if length == 0 {
            return !document.contains([.img], below: part) && !document.has(part, .id) && !document.has(part, .name)
        }
        // A heading that consists of a link keeps its text.
        return (isWithinPage && isSymbol(part, length, in: document))
            || (isNamed && length < 40 && hasOtherText(part, in: document))
    }

    private static func holdsLinks(_ part: NodeID, in document: Document) -> Bool {
        document.contains([.a], below: part)
    }

    /// Whether a link's text is a symbol, such as `#`, `¶`, `§` or a chain, and no words.
    private static func isSymbol(_ link: NodeID, _ length: Int, in document: Document) -> Bool {
        guard length <= maxSymbolCharacters else { return false }
        return document.innerText(link).unicodeScalars.allSatisfy {
            !$0.properties.isAlphabetic && $0.properties.numericType == nil
        }
    }

    private static func hasOtherText(_ link: NodeID, in document: Document) -> Bool {
        guard
            let heading = document.ancestors(link, limit: 4).first(where: {
                HeadingAnchors.headings.contains(document.tag($0))
            })
        else {
            return false
        }
        return document.trimmedLength(heading, countingTo: 400) > document.trimmedLength(link, countingTo: 400)
    }

    private static let headings: TagSet = [.h1, .h2, .h3, .h4, .h5, .h6]
}
