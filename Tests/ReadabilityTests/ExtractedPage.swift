import HTML

@testable import Readability

/// A sentence of more than 100 characters, with commas.
let sentence =
    "Cats sleep most of the day, eat what they like, and go where they want, which is more than most of us can say. "
let paragraph = "<p>" + String(repeating: sentence, count: 3) + "</p>"

func article(_ body: String, head: String = "", mode: ExtractionMode = .compat) throws -> Article? {
    let page = try Document(parsing: "<!DOCTYPE html><html><head>\(head)</head><body>\(body)</body></html>")
    return Extraction(mode: mode).article(in: page, url: "http://host.example/dir/page.html")
}

extension String {
    /// The number of occurrences of a part.
    func components(of part: String) -> Int { indices.filter { self[$0...].hasPrefix(part) }.count }
}
