import HTML
import Links

/// Handles content other than text: pictures, players and posts of other sites, code, formulas, tables.
///
/// The passes run before and after the search for the article. The first pass runs over the page before anything is
/// removed from it and converts this content into simple forms. Content that the search might lose or count as text is
/// kept outside the tree, with an empty `figure` or a `code` in its place. The other passes run over the article.
///
/// An element with the attribute ``mark`` belongs to the article if its surroundings do: if a box around it is removed,
/// the element stays.
struct RichContent {
    static let mark = AttributeName.dataLecternRich

    private var placeholders = Placeholders()
    private var leadPicture: LeadPicture?
    /// The URL against which relative URLs are resolved.
    private var base: WebAddress?

    /// - Parameter address: the page's URL.
    mutating func prepare(_ document: inout Document, address: WebAddress?) {
        base = Polish.base(of: document, page: address)
        AMPComponents.replace(in: &document)
        let elements = RichElements(of: document)
        Pictures.resolve(elements, in: &document)
        HeadingAnchors.remove(from: elements.headings, in: &document)
        Embeds.replace(elements, in: &document, base: base, placeholders: &placeholders)
        CodeBlocks.normalize(elements, in: &document)
        Formulas.normalize(elements, in: &document, placeholders: &placeholders)
        Footnotes.keep(elements.asides, in: &document)
        TaskLists.keepBoxes(elements.inputs, in: &document)
        for details in elements.details { document.set(details, .open, to: "") }
        leadPicture = LeadPicture(elements, in: document, base: base)
    }

    /// Converts the content into the forms that the block rules expect.
    func normalize(_ content: NodeID, in document: inout Document) {
        DuplicatePictures.merge(below: content, in: &document, base: base)
        LayoutTables.flatten(below: content, in: &document)
    }

    /// Puts the stored parts back. This runs after the block rules, because the text of a card is not the article's
    /// text.
    func finish(_ content: NodeID, in document: inout Document) {
        placeholders.resolve(below: content, in: &document)
        leadPicture?.restore(above: content, in: &document)
        for marked in document.elements(below: content, where: { document.has($0, Self.mark) }) {
            document.remove(marked, Self.mark)
        }
    }

    // MARK: Boxes that go

    /// Words in classes of boxes whose pictures and players belong to other content.
    private static let foreignWords: Set<String> = [
        "related", "recommended", "recommendations", "promo", "promoted", "promotion", "sponsor", "sponsored", "ad",
        "ads", "advert", "advertisement", "share", "sharing", "newsletter", "subscribe", "subscription", "comment",
        "comments", "outbrain", "taboola", "footer", "sidebar", "shopping", "shop", "product", "products", "contact",
        "author", "authors", "bio", "byline", "profile", "avatar", "teaser", "teasers", "nav", "navigation", "menu",
        "popup", "modal", "banner", "trending", "popular",
    ]

    /// Moves the marked elements out of a box, before it, in order.
    static func moveMarkedElements(outOf box: NodeID, in document: inout Document) {
        guard !ClassWords(of: box, in: document).hasWord(of: foreignWords) else { return }
        for node in document.elements(below: box, where: { document.has($0, mark) }) {
            // Skip an element that was already moved together with its figure.
            guard let moved = document.nodeToMove(for: node, outOf: box) else { continue }
            document.insert(moved, before: box)
        }
    }
}

extension Document {
    /// Returns the node to move out of a box for a marked element: its figure, or itself; nil if it is not in the box.
    fileprivate func nodeToMove(for marked: NodeID, outOf box: NodeID) -> NodeID? {
        var moved = marked
        for ancestor in ancestors(marked) {
            if ancestor == box { return moved }
            if tag(ancestor) == .figure { moved = ancestor }
        }
        return nil
    }
}
