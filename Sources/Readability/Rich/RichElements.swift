import HTML

/// The elements with content other than text, found in one walk over the page. Each list is in document order.
struct RichElements {
    /// `noscript` elements that are not inside another one.
    private(set) var noscripts: [NodeID] = []
    private(set) var images: [NodeID] = []
    private(set) var pictures: [NodeID] = []
    private(set) var figures: [NodeID] = []
    /// Players and frames that are not inside another one.
    private(set) var embeds: [NodeID] = []
    private(set) var codeBlocks: [NodeID] = []
    private(set) var tables: [NodeID] = []
    /// MathML elements that are not inside another one.
    private(set) var formulas: [NodeID] = []
    private(set) var scripts: [NodeID] = []
    private(set) var headings: [NodeID] = []
    private(set) var quotes: [NodeID] = []
    private(set) var asides: [NodeID] = []
    private(set) var metas: [NodeID] = []
    private(set) var details: [NodeID] = []
    private(set) var inputs: [NodeID] = []

    private static let tags: TagSet = [
        .noscript, .img, .picture, .figure, .iframe, .embed, .object, .video, .audio, .pre, .table, .math, .script, .h1,
        .h2, .h3, .h4,
        .h5, .h6, .blockquote, .aside, .footer, .meta, .details, .input,
    ]

    init(of document: Document) {
        var outerNoscript: NodeID?
        var outerEmbed: NodeID?
        var outerFormula: NodeID?
        for node in document.elements(Self.tags, below: document.root) {
            if document.isForeign(node) {
                guard document.localTag(node) == .math, !document.isSVG(node), isOuter(node, &outerFormula, document)
                else { continue }
                formulas.append(node)
                continue
            }
            switch document.tag(node) {
            case .noscript: if isOuter(node, &outerNoscript, document) { noscripts.append(node) }
            case .img: images.append(node)
            case .picture: pictures.append(node)
            case .figure: figures.append(node)
            case .iframe, .embed, .object, .video, .audio:
                if isOuter(node, &outerEmbed, document) { embeds.append(node) }
            case .pre: codeBlocks.append(node)
            case .table: tables.append(node)
            case .script: scripts.append(node)
            case .blockquote: quotes.append(node)
            case .aside, .footer: asides.append(node)
            case .meta: metas.append(node)
            case .details: details.append(node)
            case .input: inputs.append(node)
            default: headings.append(node)
            }
        }
    }

    /// Whether a node is not inside the previous outermost node of its kind. If so, it becomes the outermost node.
    private func isOuter(_ node: NodeID, _ outer: inout NodeID?, _ document: Document) -> Bool {
        if let outer, document.isInside(node, outer) { return false }
        outer = node
        return true
    }
}
