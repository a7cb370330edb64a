import JSON
import Testing

@testable import Neighbours

@Suite("Neighbours / annotation ranges")
struct AnnotationRangesTests {
    /// Rows as PostgreSQL writes them: the object, the ranges of a client, the link and the offsets.
    private static func annotations(_ rows: String) throws -> [WallabagAnnotation] {
        try Array(rows.utf8).withUnsafeBytes { try WallabagAnnotation.list($0) }
    }

    @Test("a client's ranges are given as they are, and those of a highlight are found in its article")
    func ranges() throws {
        let annotations = try Self.annotations(
            #"""
            [["{\"id\" : 1}", "[{\"start\": \"/p[1]\"}]", null, 0, 3], ["{\"id\" : 2}", null, "l", 4, 7],
             ["{\"id\" : 3}", null, "gone", 0, 3], ["{\"id\" : 4}", null, null, null, null]]
            """#)
        var asked: [[String]] = []
        let ranges = try AnnotationRanges(of: annotations) { links in
            asked.append(links)
            return [(link: "l", content: "<p>one <b>two</b></p>", plain: "one two")]
        }
        #expect(asked == [["gone", "l"]])
        let json = try #require(JSON(parsing: ranges.json(annotations).utf8)?.array)
        #expect(json.map { $0["id"] } == [.number(1), .number(2), .number(3), .number(4)])
        #expect(json[0]["ranges"]?.array?.first?["start"]?.string == "/p[1]")
        let found = try #require(json[1]["ranges"]?.array?.first)
        #expect(found["start"]?.string == "/p[1]/b[1]" && found["startOffset"] == .number(0))
        #expect(found["end"]?.string == "/p[1]/b[1]" && found["endOffset"] == .number(3))
        #expect(json[2]["ranges"] == .array([]) && json[3]["ranges"] == .array([]))
    }

    @Test("no article is read where no range must be found")
    func nothingToFind() throws {
        let annotations = try Self.annotations(#"[["{\"id\":1}", "[]", null, 0, 3]]"#)
        let ranges = try AnnotationRanges(of: annotations) { _ in throw CancellationError() }
        #expect(ranges.json(annotations) == #"[{"id":1,"ranges":[]}]"#)
        #expect(try WallabagAnnotation.list(nil).isEmpty)
    }

    @Test("rows of another form are an error")
    func otherRows() {
        #expect(throws: WallabagAnnotation.NotRows.self) { try Self.annotations("[[1]]") }
    }
}
