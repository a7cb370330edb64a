@testable import REST
import Testing

@Suite("REST / relationships")
struct RelationshipTests {
    @Test(
        "a foreign key is followed by the name of the table, the key or its first column",
        arguments: ["tags", "link_tags_tag", "tag_id"])
    func names(name: String) throws {
        let relationship = try catalog.relationship(from: linkTags, to: name, hint: nil)
        #expect(relationship.target.name == "tags" && relationship.isToOne && relationship.junction == nil)
        #expect(relationship.pairs.map(\.here) == ["tag_id", "user_id"])
    }

    @Test("a table whose key consists of two foreign keys is a junction")
    func junction() throws {
        let relationship = try catalog.relationship(from: links, to: "tags", hint: nil)
        #expect(relationship.junction?.table.name == "link_tags" && !relationship.isToOne)
    }

    @Test("a hint selects one of several relationships, and an unknown one none")
    func hints() throws {
        #expect(throws: QueryError.self) { try catalog.relationship(from: collections, to: "collections", hint: nil) }
        #expect(throws: QueryError.unknownRelation(table: "links", relation: "tags")) {
            try catalog.relationship(from: links, to: "tags", hint: "nope")
        }
    }
}
