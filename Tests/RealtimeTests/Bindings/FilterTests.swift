import Testing

@testable import Realtime

@Suite("Realtime / filters")
struct FilterTests {
    private static let table = Table(
        name: "things",
        columns: [
            .init(name: "id", type: "uuid"), .init(name: "title", type: "text"), .init(name: "count", type: "int4"),
            .init(name: "share", type: "float8"), .init(name: "done", type: "bool"),
            .init(name: "at", type: "timestamptz"), .init(name: "day", type: "date"),
            .init(name: "mood", type: "mood", isEnum: true), .init(name: "tags", type: "_text"),
        ])

    private let row = Row(
        Array(
            #"""
            {"id": "0000000a-0000-0000-0000-000000000000", "title": "a,\"b\" (é)", "count": 10, "share": 0.5, "done": false,
            "at": "2024-01-01T12:00:00+00:00", "day": "2024-01-01", "mood": "happy", "tags": ["a"], "note": null}
            """#.utf8))

    @Test(
        "a row that satisfies the condition matches",
        arguments: [
            "id=eq.0000000A-0000-0000-0000-000000000000", #"title=eq.a,"b" (é)"#, "title=neq.b", "title=lt.b",
            "count=eq.10", "count=eq.+10", "count=gt.9", "count=gte.10", "count=lt.11", "count=lte.10", "share=lt.0.75",
            "share=eq.5e-1", "done=eq.false", "done=eq.f", "done=lt.true", "at=eq.2024-01-01T13:00:00+01:00",
            "at=gt.2024-01-01", "day=lte.2024-01-01", "mood=eq.happy", "count=in.(1, 10 ,100)", "mood=in.(sad,happy)",
            #"title=in.(x,"a,\"b\" (é)")"#, "title=neq.\u{301}",
        ])
    func matching(text: String) throws { #expect(try Filter(text, on: Self.table).matches(row)) }

    @Test(
        "a row that does not satisfy the condition does not match",
        arguments: [
            "id=neq.0000000a-0000-0000-0000-000000000000", "title=eq.A", "count=eq.9", "count=gt.10", "count=lt.9",
            "done=eq.t", "at=lt.2024-01-01", "count=in.()", "mood=in.(sad)", "mood=neq.happy",
        ])
    func notMatching(text: String) throws { #expect(try !Filter(text, on: Self.table).matches(row)) }

    @Test("texts are compared by their bytes, as the database compares them")
    func bytes() throws {
        let row = Row(Array(#"{"title": "e\u0301"}"#.utf8))
        #expect(try !Filter("title=eq.\u{e9}", on: Self.table).matches(row))
        #expect(try Filter("title=gt.Z", on: Self.table).matches(row))
        // A combining character belongs to the value, also after a delimiter.
        let accent = Row(Array(#"{"title": "\u0301"}"#.utf8))
        for text in ["title=eq.\u{301}", "title=in.(a,\u{301})", "title=in.(\"\u{301}\",a)"] {
            #expect(try Filter(text, on: Self.table).matches(accent))
        }
    }

    @Test("a column is read once for all filters")
    func readOnce() {
        func address() -> UnsafeRawPointer? {
            guard case .text(let bytes) = row.value(of: "title", .text) else { return nil }
            return bytes.withUnsafeBytes { $0.baseAddress }
        }
        #expect(address() != nil && address() == address())
    }

    @Test("null satisfies no condition", arguments: ["title=eq.a", "title=neq.a", "title=in.(a)", "title=eq.null"])
    func null(text: String) throws {
        #expect(try !Filter(text, on: Self.table).matches(Row(Array(#"{"title": null}"#.utf8))))
        #expect(try !Filter(text, on: Self.table).matches(Row(Array("{}".utf8))))
    }

    @Test(
        "a filter that cannot be evaluated is refused",
        arguments: [
            ("title", .malformedFilter("title")), ("title=eq", .malformedFilter("title=eq")),
            ("title=like.a", .malformedFilter("title=like.a")), ("count=in.1,2", .malformedFilter("count=in.1,2")),
            (#"title=in.("a)"#, .malformedFilter(#"title=in.("a)"#)),
            (#"title=in.("a"b)"#, .malformedFilter(#"title=in.("a"b)"#)),
            ("name=eq.a", .unknownColumn("name", table: "things")), ("tags=eq.{a}", .incomparableColumn("tags")),
            ("count=eq.ten", .wrongValue("ten", column: "count")), ("id=eq.1", .wrongValue("1", column: "id")),
            ("at=gt.yesterday", .wrongValue("yesterday", column: "at")),
            ("count=in.(" + String(repeating: "1,", count: 101) + "1)", .tooManyValues),
        ] as [(String, BindingError)])
    func refused(text: String, error: BindingError) {
        #expect(throws: error) { try Filter(text, on: Self.table) }
    }
}
