import HTML

/// Gives images that a script would load their real source, which stands in some other attribute.
enum LazyImages {
    static func load(below content: NodeID, in document: inout Document) {
        for node in document.elements([.img, .picture, .figure], below: content) {
            if removeStandIn(of: node, in: &document) == .meaningful { continue }
            guard !hasSource(node, in: document) else { continue }
            copySources(of: node, in: &document)
        }
    }

    private enum StandIn { case none, meaningful }

    /// Removes a tiny image written into the source itself, when another attribute names the real one. A small SVG may
    /// well be the picture that is meant.
    private static func removeStandIn(of node: NodeID, in document: inout Document) -> StandIn {
        guard document.tag(node) == .img, let source = document.attribute(node, .src),
            let data = DataAddress(WhiteSpace.trim(source))
        else { return .none }
        if data.type == "image/svg+xml" { return .meaningful }
        let namesRealImage = document.allAttributes(node).contains {
            $0.name != "src" && ImageAddress.isMentioned(in: $0.value)
        }
        if namesRealImage && data.length < Vocabulary.smallestDataImage { document.remove(node, .src) }
        return .none
    }

    /// Whether the browser would show something already. A class with `lazy` says that it would be a stand-in.
    private static func hasSource(_ node: NodeID, in document: Document) -> Bool {
        guard document.tag(node) == .img else { return false }
        let source = document.attribute(node, .src).nonEmpty
        let set = document.attribute(node, .srcset).nonEmpty
        guard source != nil || (set != nil && set != "null") else { return false }
        return !Vocabulary.lazy.matches(document.attribute(node, .class) ?? "")
    }

    private static func copySources(of node: NodeID, in document: inout Document) {
        var position = 0
        // Sources set here stand at the end and are passed over by their names.
        while position < document.attributeCount(node) {
            let attribute = document.attribute(node, at: position)
            position += 1
            guard !["src", "srcset", "alt"].contains(attribute.name) else { continue }
            let target: AttributeName
            if ImageAddress.isSourceSet(attribute.value) {
                target = .srcset
            } else if ImageAddress.isAddress(attribute.value) {
                target = .src
            } else {
                continue
            }
            switch document.tag(node) {
            case .img, .picture:
                document.set(node, target, to: attribute.value)
            case .figure where !document.contains([.img, .picture], below: node):
                let image = document.makeElement(.img)
                document.set(image, target, to: attribute.value)
                document.append(image, to: node)
            default: break
            }
        }
    }
}

/// A base64 `data:` URL.
struct DataAddress {
    /// Media type, as written.
    let type: String
    /// Characters of base64.
    let length: Int

    init?(_ text: String) {
        guard text.utf8.prefix(5).map(lowercased).elementsEqual("data:".utf8), let comma = text.firstIndex(of: ",")
        else {
            return nil
        }
        let parts = text[text.index(text.startIndex, offsetBy: 5)..<comma].split(
            separator: ";", omittingEmptySubsequences: false)
        guard parts.count == 2, WhiteSpace.trim(String(parts[1])).lowercased() == "base64" else { return nil }
        type = WhiteSpace.trim(String(parts[0]))
        guard !type.isEmpty else { return nil }
        length = text[comma...].utf8.count
    }
}
