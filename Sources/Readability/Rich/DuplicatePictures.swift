import HTML
import Links

/// Leaves one of several copies of a picture in an article: those of a slide show that goes round, one for each kind of
/// screen, a preview and its original.
enum DuplicatePictures {
    static func join(below content: NodeID, in document: inout Document, base: WebAddress?) {
        var first: [PictureKey: NodeID] = [:]
        for image in document.elements([.img], below: content) {
            // A sign in a line may come again.
            guard document.has(image, RichContent.mark), let address = document.attribute(image, .src).nonEmpty else { continue }
            let key = PictureKey(address, relativeTo: base)
            guard let twin = first[key] else {
                first[key] = image
                continue
            }
            if document.attribute(twin, .alt).nonEmpty == nil, let alt = document.attribute(image, .alt).nonEmpty {
                document.set(twin, .alt, to: alt)
            }
            let figure = document.ancestors(image, limit: 4).first { document.tag($0) == .figure }
            document.detach(image)
            if let figure, figure != document.ancestors(twin, limit: 4).first(where: { document.tag($0) == .figure }),
                !document.contains([.img, .video, .audio, .table, .pre], below: figure), repeatsCaption(figure, of: twin, in: document)
            {
                document.detach(figure)
            }
        }
        removeEmptyFrames(below: content, in: &document)
    }

    /// Whether a figure says nothing, or what the twin's figure says.
    private static func repeatsCaption(_ figure: NodeID, of twin: NodeID, in document: Document) -> Bool {
        if document.isBlank(figure) { return true }
        guard let other = document.ancestors(twin, limit: 4).first(where: { document.tag($0) == .figure }) else { return false }
        return document.innerText(figure) == document.innerText(other)
    }

    /// Figures and links in which nothing is left.
    private static func removeEmptyFrames(below content: NodeID, in document: inout Document) {
        for frame in document.elements([.figure, .a], below: content).reversed() {
            guard document.isBlank(frame), !document.contains([.img, .video, .audio, .svg, .math, .table, .hr, .figure], below: frame),
                !document.has(frame, .id), !document.has(frame, .name), !document.has(frame, RichContent.mark)
            else { continue }
            document.detach(frame)
        }
    }
}
