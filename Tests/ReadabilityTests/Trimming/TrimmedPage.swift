import HTML
import Testing

@testable import Readability

/// A page of four different paragraphs, extracted in mode best.
struct TrimmedPage {
    static let paragraphs = [
        "The ferry to the island leaves at six, and nobody who lives there would think of taking a later one if it can be helped.",
        "It carries bread, letters, two cows on a bad day, and whoever has found a reason to go to a place without a single shop.",
        "The captain has done this for thirty years, knows every rock, and still reads the forecast twice before he casts off.",
        "On the other side a road leads up to the church, past gardens where nothing is locked and where dogs sleep on the road.",
    ].map { "<p>\($0)</p>" }

    let article: Article

    /// - Parameters:
    ///   - before: HTML before all paragraphs.
    ///   - inside: HTML between the second and the third paragraph.
    ///   - after: HTML after all paragraphs.
    init(
        before: String = "", inside: String = "", after: String = "", head: String = "", rules: TrimmingRules = .all
    )
        throws
    {
        let text = TrimmedPage.paragraphs
        let body = "<article>\(before)\(text[0])\(text[1])\(inside)\(text[2])\(text[3])\(after)</article>"
        let page = try Document(parsing: "<!DOCTYPE html><html><head>\(head)</head><body>\(body)</body></html>")
        article = try #require(Extraction(rules: rules).article(in: page, url: "http://host.example/dir/page.html"))
    }

    /// Whether the article's text contains MARK.
    var textHasMark: Bool { article.textContent.contains("MARK") }
    var contentHasMark: Bool { article.content.contains("MARK") }
}
