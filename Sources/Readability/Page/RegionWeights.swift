/// The numbers by which ``PageRegion`` compares parts of a page. `deploy/bench extract --weights` fits them to pages with
/// known text; docs/extraction.md shows the result.
public struct RegionWeights: Equatable, Sendable {
    /// The value of a word of a short text that is neither running text nor a link. A word of running text has 1.
    public var short = 0.25
    /// The value lost by a word of a text that consists of links.
    public var links = 0.5
    /// The value lost by a word in a box that does not belong to an article, such as comments or a share bar.
    public var foreign = 0.5
    /// The article of the search is left for a part of the page that is worth this many times as much, …
    public var factor = 1.3
    /// … and this many words more.
    public var margin = 20.0

    /// An article that is worth more than this, in words, stays.
    public var enough = 600.0

    public init() {}

    /// The names of the numbers on the command line.
    public static let named: [(name: String, path: WritableKeyPath<RegionWeights, Double> & Sendable)] = [
        ("short", \.short), ("links", \.links), ("foreign", \.foreign), ("factor", \.factor), ("margin", \.margin),
        ("enough", \.enough),
    ]
}
