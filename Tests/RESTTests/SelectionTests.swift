@testable import REST
import Testing

@Suite("REST / selections")
struct SelectionTests {
    @Test("an empty selection means every column", arguments: ["", "  ", "*"])
    func everything(text: String) throws { #expect(try Selection(text) == .everything) }

    @Test("fields have aliases and casts")
    func fields() throws {
        #expect(
            try Selection("a:b::text,c").items == [
                .field(Field(column: "b"), alias: "a", cast: "text"), .field(Field(column: "c"), alias: nil, cast: nil),
            ])
    }

    @Test("relations have an alias, a hint, a join and columns")
    func relations() throws {
        guard case .relation(let relation)? = try Selection("x:tags!key!inner(name)").items.first else {
            return #expect(Bool(false), "not a relation")
        }
        #expect(relation.name == "tags" && relation.alias == "x" && relation.hint == "key" && relation.isInner)
        #expect(relation.selection.items.count == 1 && !relation.isSpread)
    }

    @Test(
        "aggregates and malformed selections are refused",
        arguments: ["a.sum()", "count()", "a,", "a b", "tags(", "...a", "a->b(c)"])
    func refused(text: String) { #expect(throws: QueryError.self) { try Selection(text) } }

    @Test("the number of columns is limited")
    func many() {
        #expect(throws: QueryError.self) { try Selection(Array(repeating: "a", count: 201).joined(separator: ",")) }
    }

    @Test("a number of rows may have a name and a cast; in quotes, count is a column")
    func counts() throws {
        #expect(try Selection("count").items == [.count(alias: nil, cast: nil, isCall: false)])
        #expect(try Selection("n:count()").items == [.count(alias: "n", cast: nil, isCall: true)])
        #expect(try Selection("n:count::text").items == [.count(alias: "n", cast: "text", isCall: false)])
        #expect(
            try Selection("n:\"count\"").items == [.field(Field(column: "count"), alias: "n", cast: nil)])
    }

    @Test("a list of names drops repetitions and has at least one name")
    func names() throws {
        #expect(try Selection.names("a, \"b,c\",a", of: "columns") == ["a", "b,c"])
        for text in ["", " ", "a,", ",a"] {
            #expect(throws: QueryError.self) { try Selection.names(text, of: "columns") }
        }
    }

    @Test("a list has at most 200 names, however often each is repeated")
    func manyNames() throws {
        let names = (1...200).map { "c\($0)" }
        #expect(try Selection.names((names + names).joined(separator: ","), of: "columns") == names)
        #expect(try Selection.names(String(repeating: "a,", count: 100_000) + "a", of: "columns") == ["a"])
        #expect(throws: QueryError.self) { try Selection.names((names + ["x"]).joined(separator: ","), of: "columns") }
    }
}
