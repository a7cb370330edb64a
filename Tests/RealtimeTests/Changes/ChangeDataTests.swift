import Testing

@testable import Realtime

@Suite("Realtime / data of a change")
struct ChangeDataTests {
    private func data(_ operation: Change.Operation) -> String {
        let change = HubFixture.change(operation, row: #"{"id": "1", "title": "a"}"#)
        return String(decoding: ChangeData.text(change, columns: Array("[]".utf8)), as: UTF8.self)
    }

    private let head =
        #"{"schema":"public","table":"links","commit_timestamp":"2024-02-29T12:30:15.000Z","type":""#

    @Test("an insert has the row")
    func insert() {
        #expect(data(.insert) == head + #"INSERT","columns":[],"record":{"id": "1", "title": "a"},"errors":null}"#)
    }

    @Test("an update has the row and the old key")
    func update() {
        #expect(
            data(.update) == head
                + #"UPDATE","columns":[],"record":{"id": "1", "title": "a"},"old_record":{"id": "1"},"errors":null}"#)
    }

    @Test("a delete has the old key alone")
    func delete() {
        #expect(data(.delete) == head + #"DELETE","columns":[],"old_record":{"id": "1"},"errors":null}"#)
    }

    @Test("columns have PostgreSQL's short names of types")
    func columns() {
        let table = Table(name: "t", columns: [.init(name: "id", type: "uuid"), .init(name: "tags", type: "_text")])
        #expect(
            String(decoding: table.columns, as: UTF8.self)
                == #"[{"name":"id","type":"uuid"},{"name":"tags","type":"_text"}]"#)
    }
}
