import JSON
import Testing

@testable import Realtime

@Suite("Realtime / bindings")
struct BindingTests {
    private func binding(_ text: String) throws -> Binding {
        let json = try #require(JSON(parsing: text.utf8))
        return try Binding(Binding.echo(json, id: 7), tables: HubFixture.tables)
    }

    @Test(
        "a table that is absent or * means every table",
        arguments: [#"{"event":"*"}"#, #"{"event":"*","schema":"public","table":"*"}"#, #"{"schema":"*"}"#])
    func everyTable(text: String) throws {
        let binding = try binding(text)
        #expect(binding.table == nil && binding.operation == nil && binding.id == 7)
    }

    @Test("the event may be in any case")
    func event() throws {
        #expect(try binding(#"{"event":"Delete","schema":"public","table":"links"}"#).operation == .delete)
    }

    @Test(
        "what has no changes is refused",
        arguments: [
            ("[]", .malformed), (#"{"event":1}"#, .malformed), (#"{"event":"TRUNCATE"}"#, .unknownEvent("TRUNCATE")),
            (#"{"schema":"auth","table":"users"}"#, .unknownSchema("auth")),
            (#"{"table":"jobs"}"#, .unknownTable("jobs")), (#"{"filter":"id=eq.1"}"#, .filterWithoutTable),
        ] as [(String, BindingError)])
    func refused(text: String, error: BindingError) { #expect(throws: error) { try binding(text) } }

    @Test("the reply repeats the entry unchanged, with an id in place of the client's")
    func echo() throws {
        let json = try #require(JSON(parsing: #"{"table":"links","id":0,"event":"*","select":["id"]}"#.utf8))
        #expect(
            String(decoding: Binding.echo(json, id: 3).bytes, as: UTF8.self)
                == #"{"id":3,"table":"links","event":"*","select":["id"]}"#)
    }
}
