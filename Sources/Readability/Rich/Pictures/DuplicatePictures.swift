import HTML

/// Keeps one of several copies of a picture in an article. Copies come from slide shows that wrap around, from variants
/// for each screen size, and from previews beside their originals.
enum DuplicatePictures {
    static func merge(below content: NodeID, in document: inout Document, base: WebAddress?) {
        var originals: [PictureKey: NodeID] = [:]
        for image in document.elements([.img], below: content) {
            // An inline symbol may occur several times.
            guard document.has(image, RichContent.mark), let address = document.attribute(image, .src).nonEmpty else {
                continue
            }
            let key = PictureKey(address, relativeTo: base)
            guard let original = originals[key] else {
                originals[key] = image
                continue
            }
            if document.attribute(original, .alt).nonEmpty == nil, let alt = document.attribute(image, .alt).nonEmpty {
                document.set(original, .alt, to: alt)
            }
            let figure = document.ancestors(image, limit: 4).first { document.tag($0) == .figure }
            document.detach(image)
            if let figure,
                figure != document.ancestors(original, limit: 4).first(where: { document.tag($0) == .figure }),
                !document.contains([.img, .video, .audio, .table, .pre], below: figure),
                repeatsCaption(figure, of: original, in: document)
            {
                document.detach(figure)
            }
        }
        removeEmptyFrames(below: content, in: &document)
    }

    /// Whether a figure has no text, or the same text as the original's figure.
    private static func repeatsCaption(_ figure: NodeID, of original: NodeID, in document: Document) -> Bool {
        if document.isBlank(figure) { return true }
        guard let other = document.ancestors(original, limit: 4).first(where: { document.tag($0) == .figure }) else {
            return false
        }
        return document.innerText(figure) == document.innerText(other)
    }

    /// Removes figures and links that have become empty.
    private static func removeEmptyFrames(below content: NodeID, in document: inout Document) {
        for frame in document.elements([.figure, .a], below: content).reversed() {
            guard document.isBlank(frame),
                !document.contains([.img, .video, .audio, .svg, .math, .table, .hr, .figure], below: frame),
                !document.has(frame, .id), !document.has(frame, .name), !document.has(frame, RichContent.mark)
            else { continue }
            document.detach(frame)
        }
    }
}
