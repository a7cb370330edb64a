import HTTP
import JSON

/// Gives the annotations in a response that are highlights of the web app the ranges that annotator.js would make.
struct AnnotationRanges {
    /// The articles of these links.
    typealias Articles = ([String]) throws -> [(link: String, content: String, plain: String)]

    /// A highlight without ranges, and where its text is in the response.
    private struct Mark {
        var bytes: Range<Int>
        var link: Substring
        var range: Range<Int>
    }

    /// As PostgreSQL writes the member with a text in place of a list; see `WallabagAnnotation.object`. In the texts of users
    /// quotation marks have backslashes before them.
    private static let member = Array(#""ranges" : ""#.utf8)

    static func filled(_ response: Response, _ articles: Articles) throws -> Response {
        let marks = marks(in: response.body)
        guard !marks.isEmpty else { return response }
        var contents: [String: AnnotatedContent] = [:]
        for article in try articles(Array(Set(marks.map { String($0.link) }))) {
            contents[article.link] = AnnotatedContent(article.content, plain: article.plain)
        }
        var response = response
        var body: [UInt8] = []
        body.reserveCapacity(response.body.count + 100 * marks.count)
        var written = 0
        for mark in marks {
            body += response.body[written..<mark.bytes.lowerBound]
            body += json(contents[String(mark.link)]?.ends(of: mark.range)).utf8
            written = mark.bytes.upperBound
        }
        body += response.body[written...]
        response.body = body
        return response
    }

    private static func json(_ ends: (start: AnnotatedContent.End, end: AnnotatedContent.End)?) -> String {
        guard let (start, end) = ends else { return "[]" }
        return "["
            + JSONText.object([
                ("start", JSONText.string(start.path)), ("startOffset", String(start.offset)),
                ("end", JSONText.string(end.path)), ("endOffset", String(end.offset)),
            ]) + "]"
    }

    private static func marks(in body: [UInt8]) -> [Mark] {
        var marks: [Mark] = []
        var at = 0
        while let found = next(in: body, from: at) {
            let start = found + member.count
            at = start
            guard let end = body[start...].prefix(100).firstIndex(of: UInt8(ascii: "\"")) else { continue }
            let parts = String(decoding: body[start..<end], as: UTF8.self).split(separator: " ")
            guard parts.count == 3, let first = Int(parts[1]), let last = Int(parts[2]), first < last else { continue }
            marks.append(Mark(bytes: start - 1..<end + 1, link: parts[0], range: first..<last))
            at = end
        }
        return marks
    }

    /// How far the search may go on after a byte that is at the end of where the member could be (Horspool, 1980).
    private static let skips: [Int] = {
        var skips = [Int](repeating: member.count, count: 256)
        for (index, byte) in member.dropLast().enumerated() { skips[Int(byte)] = member.count - 1 - index }
        return skips
    }()

    private static func next(in body: [UInt8], from start: Int) -> Int? {
        let (member, skips) = (member, skips)
        return body.withUnsafeBufferPointer { body in
            var at = start
            while at + member.count <= body.count {
                let last = body[at + member.count - 1]
                if last == member[member.count - 1], body[at..<at + member.count].elementsEqual(member) { return at }
                at += skips[Int(last)]
            }
            return nil
        }
    }
}
