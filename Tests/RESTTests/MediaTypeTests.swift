@testable import REST
import Testing

@Suite("REST / media types")
struct MediaTypeTests {
    @Test(
        "the first supported type is chosen",
        arguments: [
            ([], MediaType.Kind.array), (["*/*"], .array), (["text/html, text/csv"], .csv),
            (["text/html", "application/json"], .array),
            (["application/vnd.pgrst.object+json;q=1"], .singular), (["APPLICATION/JSON"], .array),
        ])
    func kinds(accept: [String], kind: MediaType.Kind) throws { #expect(try MediaType(accept).kind == kind) }

    @Test("nulls are stripped only for PostgREST's own types")
    func nulls() throws {
        let stripped = try MediaType(["application/vnd.pgrst.object+json; nulls=stripped"])
        #expect(stripped.stripsNulls)
        #expect(stripped.contentType == "application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8")
        #expect(try !MediaType(["application/json; nulls=stripped"]).stripsNulls)
    }

    @Test("unsupported types are refused")
    func refused() {
        #expect(throws: QueryError.notAcceptable("text/html, image/png")) { try MediaType(["text/html, image/png"]) }
    }
}
