/// The groups of rules by which mode best keeps and removes text. Each can be switched off to measure its effect.
public struct TrimmingRules: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Text that belongs to a picture becomes `figcaption`: it stays in the article's content but is not part of its
    /// text.
    public static let captions = TrimmingRules(rawValue: 1)
    /// Removes small boxes whose class indicates sharing, related articles, newsletters, advertisements, comments and
    /// the like.
    public static let boxes = TrimmingRules(rawValue: 1 << 1)
    /// Removes short lines that begin as no article does ("Read more:", "Follow us", "Advertisement").
    public static let phrases = TrimmingRules(rawValue: 1 << 2)
    /// Removes single lines that consist of links only.
    public static let links = TrimmingRules(rawValue: 1 << 3)
    /// Removes dates, authors, breadcrumbs, the title and labels before the first paragraph.
    public static let lead = TrimmingRules(rawValue: 1 << 4)
    /// Adds the paragraphs between the headline and the text that introduce the article.
    public static let standfirst = TrimmingRules(rawValue: 1 << 5)
    /// Removes minor lines after the last paragraph: authors, copyright, tags, headings without text.
    public static let tail = TrimmingRules(rawValue: 1 << 6)
    /// Removes sections that do not belong to the article ("Related", "Comments"), including their content.
    public static let sections = TrimmingRules(rawValue: 1 << 7)
    /// Keeps boxes, notes and headings that Readability removes if they contain sentences that a reader would miss.
    public static let exemptions = TrimmingRules(rawValue: 1 << 8)
    /// Opens the parts of the page that a button shows and hides.
    public static let disclosures = TrimmingRules(rawValue: 1 << 9)
    /// Removes a company's description of itself after a press release, and what follows a line that ends the release.
    public static let company = TrimmingRules(rawValue: 1 << 10)

    /// If the page marks a text as its article and the search found another, the marked text is used.
    public static let claims = TrimmingRules(rawValue: 1 << 11)

    /// If the search has found too little of the page's running text, the part of the page with most of it is used.
    public static let region = TrimmingRules(rawValue: 1 << 12)

    public static let all = named.reduce(into: TrimmingRules()) { $0.formUnion($1.rule) }

    /// The rules by their command-line names, each with its effect.
    public static let named: [(name: String, rule: TrimmingRules, does: String)] = [
        ("captions", .captions, "text that belongs to a picture becomes figcaption"),
        ("boxes", .boxes, "removes small boxes with a class such as share, related or newsletter"),
        ("phrases", .phrases, "removes short lines with words that articles do not begin with, such as Read more"),
        ("links", .links, "removes lines that consist of links only"),
        ("lead", .lead, "removes dates, authors, labels and the title before the first paragraph"),
        ("standfirst", .standfirst, "adds the paragraphs between the headline and the text"),
        ("tail", .tail, "removes minor lines after the last paragraph"),
        ("sections", .sections, "removes sections that do not belong to the article"),
        ("company", .company, "removes a company's description of itself after a press release"),
        ("exemptions", .exemptions, "keeps boxes and headings with sentences that Readability removes"),
        ("disclosures", .disclosures, "opens the parts that a button shows and hides"),
        ("region", .region, "uses the part of the page with most of its running text if the search found less of it"),
        ("claims", .claims, "uses the text that the page marks as its article if the search found another"),
    ]

    /// Returns nil for an unknown name.
    public init?(named name: String) {
        guard let rule = TrimmingRules.named.first(where: { $0.name == name })?.rule else { return nil }
        self = rule
    }
}
