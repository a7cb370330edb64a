/// The ranges of annotations, as annotator.js writes them. Those of a highlight of the web app are found in its article.
struct AnnotationRanges {
    /// Reads the articles of links.
    typealias Articles = ([String]) throws -> [(link: String, content: String, plain: String)]

    private var contents: [String: AnnotatedContent] = [:]

    /// Reads the articles that the annotations need.
    init(of annotations: some Sequence<WallabagAnnotation>, _ articles: Articles) throws {
        let links = Set(annotations.compactMap { $0.passage?.link })
        guard !links.isEmpty else { return }
        for article in try articles(links.sorted()) {
            contents[article.link] = AnnotatedContent(article.content, plain: article.plain)
        }
    }

    /// The JSON of annotations.
    func json(_ annotations: [WallabagAnnotation]) -> String {
        "[" + annotations.map(json).joined(separator: ",") + "]"
    }

    /// The JSON of an annotation.
    func json(_ annotation: WallabagAnnotation) -> String {
        annotation.json(ranges: annotation.ranges ?? ranges(of: annotation.passage))
    }

    private func ranges(of passage: WallabagAnnotation.Passage?) -> String {
        guard let passage, let (start, end) = contents[passage.link]?.ends(of: passage.range) else { return "[]" }
        return WallabagAnnotation.ranges(from: start, to: end)
    }
}
