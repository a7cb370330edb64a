import HTML
import Links

/// What is more than text: pictures, players and posts of other sites, code, formulas, tables.
///
/// Passes around the search for the article. The first one runs over the page before anything is removed from it, and
/// brings all of it into plain forms; what the search might lose or take for words waits outside the tree, an empty
/// `figure` or a `code` in its place. The others run over the article.
///
/// An element with the attribute ``mark`` is the article's, if what it stands in is: a box that goes leaves it behind.
struct RichContent {
    static let mark = AttributeName.dataLecternRich

    private var standIns = Placeholders()
    private var lead: LeadPicture?
    /// What relative addresses are relative to.
    private var base: WebAddress?

    /// - Parameter address: the page's own.
    mutating func prepare(_ document: inout Document, address: WebAddress?) {
        base = Polish.base(of: document, page: address)
        AMPComponents.replace(in: &document)
        let survey = RichElements(of: document)
        Pictures.resolve(survey, in: &document)
        HeadingAnchors.remove(from: survey.headings, in: &document)
        Embeds.replace(survey, in: &document, base: base, standIns: &standIns)
        CodeBlocks.settle(survey, in: &document)
        Formulas.settle(survey, in: &document, standIns: &standIns)
        Footnotes.keep(survey.asides, in: &document)
        for details in survey.details { document.set(details, .open, to: "") }
        lead = LeadPicture(survey, in: document, base: base)
    }

    /// Brings what was found into the forms by which its blocks are judged.
    func settle(_ content: NodeID, in document: inout Document) {
        DuplicatePictures.join(below: content, in: &document, base: base)
        LayoutTables.unwrap(below: content, in: &document)
    }

    /// Puts back what waited. It is not judged by its words: those of a card are a stranger's.
    func finish(_ content: NodeID, in document: inout Document) {
        standIns.resolve(below: content, in: &document)
        lead?.restore(above: content, in: &document)
        for marked in document.elements(below: content, where: { document.has($0, Self.mark) }) { document.remove(marked, Self.mark) }
    }

    // MARK: Boxes that go

    /// Words of boxes whose pictures and players belong to something else.
    private static let foreignWords: Set<String> = [
        "related", "recommended", "recommendations", "promo", "promoted", "promotion", "sponsor", "sponsored", "ad", "ads", "advert",
        "advertisement", "share", "sharing", "newsletter", "subscribe", "subscription", "comment", "comments", "outbrain", "taboola", "footer",
        "sidebar", "shopping", "shop", "product", "products", "contact", "author", "authors", "bio", "byline", "profile", "avatar", "teaser",
        "teasers", "nav", "navigation", "menu", "popup", "modal", "banner", "trending", "popular",
    ]

    /// Puts what is marked in a box before it, in order.
    static func rescue(from box: NodeID, in document: inout Document) {
        guard !ClassWords(of: box, in: document).hasWord(of: foreignWords) else { return }
        for node in document.elements(below: box, where: { document.has($0, mark) }) {
            // One that went along with a figure around it has left.
            guard let rescued = document.rescued(node, from: box) else { continue }
            document.insert(rescued, before: box)
        }
    }
}

extension Document {
    /// What is to be taken along of a box with a marked element: its figure, or itself. Nil when it is not in the box.
    fileprivate func rescued(_ marked: NodeID, from box: NodeID) -> NodeID? {
        var rescued = marked
        for ancestor in ancestors(marked) {
            if ancestor == box { return rescued }
            if tag(ancestor) == .figure { rescued = ancestor }
        }
        return nil
    }
}
