import HTML
import Links

/// Sets the sources of images that a script would load; the real source is in another attribute.
enum LazyImages {
    static func load(below content: NodeID, in document: inout Document, mode: ExtractionMode) {
        for node in document.elements([.img, .picture, .figure], below: content) {
            if removePlaceholderSource(of: node, in: &document) == .meaningful { continue }
            guard !hasSource(node, in: document, mode) else { continue }
            copySources(of: node, in: &document)
        }
    }

    private enum EmbeddedSource { case none, meaningful }

    /// Removes a tiny image embedded in `src` if another attribute names the real one. A small SVG may be the intended
    /// image and is kept.
    private static func removePlaceholderSource(of node: NodeID, in document: inout Document) -> EmbeddedSource {
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

    /// Returns whether the browser would already show an image. A class that contains `lazy` marks a placeholder.
    ///
    /// In the HTML standard the `src` of an image is a URL relative to the page, so that an empty one is the page's own
    /// URL and counts as a source for Readability. Readers are better served with the image.
    private static func hasSource(_ node: NodeID, in document: Document, _ mode: ExtractionMode) -> Bool {
        guard document.tag(node) == .img else { return false }
        let source = document.attribute(node, .src)
        let set = document.attribute(node, .srcset).nonEmpty
        let hasAddress = mode == .compat ? source != nil : source.nonEmpty != nil
        guard hasAddress || (set != nil && set != "null") else { return false }
        return !Vocabulary.lazy.matches(document.attribute(node, .class) ?? "")
    }

    private static func copySources(of node: NodeID, in document: inout Document) {
        var position = 0
        // Attributes added here are appended; their names exclude them.
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
