import HTML
import Links

/// Gives images that a script would load their real source, which stands in some other attribute.
enum LazyImages {
    static func load(below content: NodeID, in document: inout Document, mode: Mode) {
        for node in document.elements([.img, .picture, .figure], below: content) {
            if removeStandIn(of: node, in: &document) == .meaningful { continue }
            guard !hasSource(node, in: document, mode) else { continue }
            copySources(of: node, in: &document)
        }
    }

    private enum Placeholder { case none, meaningful }

    /// Removes a tiny image written into the source itself, when another attribute names the real one. A small SVG may
    /// well be the picture that is meant.
    private static func removeStandIn(of node: NodeID, in document: inout Document) -> Placeholder {
        guard document.tag(node) == .img, let source = document.attribute(node, .src),
            let data = DataAddress(source)
        else { return .none }
        if data.type == "image/svg+xml" { return .meaningful }
        let namesRealImage = document.allAttributes(node).contains {
            $0.name != "src" && ImageAddress.isMentioned(in: $0.value)
        }
        if namesRealImage && data.length < Vocabulary.smallestDataImage { document.remove(node, .src) }
        return .none
    }

    /// Whether the browser would show something already. A class with `lazy` says that it would be a stand-in.
    ///
    /// By the standard the `src` of an image is a URL relative to the page, an empty one the page's own, and so it counts
    /// for Readability; readers are better served with the image.
    private static func hasSource(_ node: NodeID, in document: Document, _ mode: Mode) -> Bool {
        guard document.tag(node) == .img else { return false }
        let source = document.attribute(node, .src)
        let set = document.attribute(node, .srcset).nonEmpty
        let hasAddress = mode == .compat ? source != nil : source.nonEmpty != nil
        guard hasAddress || (set != nil && set != "null") else { return false }
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
    /// Characters of base64, without the line ends and tabs that browsers drop.
    let length: Int

    init?(_ written: String) {
        let start = written.utf8.drop { $0 <= 0x20 }
        guard start.prefix(5).map(lowercased).elementsEqual("data:".utf8),
            let text = WebAddress(written)?.text.utf8.dropFirst(5), let comma = text.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let parts = text[..<comma].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { WhiteSpace.trim(String(decoding: Array($0), as: UTF8.self)) }
        guard parts.count == 2, parts[1].lowercased() == "base64", !parts[0].isEmpty,
            !parts[0].utf8.contains(where: WhiteSpace.isASCII)
        else { return nil }
        type = parts[0]
        length = text[comma...].dropFirst().count
    }
}
