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

    @Test(
        "the name of a table with a foreign key to itself means the referencing rows",
        arguments: [nil, "parent_id", "collections_parent"])
    func children(hint: String?) throws {
        let relationship = try catalog.relationship(from: collections, to: "collections", hint: hint)
        #expect(!relationship.isToOne && relationship.pairs == [.init(here: "id", there: "parent_id")])
    }

    @Test(
        "the referenced row of a foreign key to its own table is named by the key or its column",
        arguments: ["parent_id", "collections_parent"])
    func parent(name: String) throws {
        let relationship = try catalog.relationship(from: collections, to: name, hint: nil)
        #expect(relationship.isToOne && relationship.pairs == [.init(here: "parent_id", there: "id")])
    }

    @Test("a hint selects one of several relationships, and an unknown one none")
    func hints() throws {
        let error = QueryError.ambiguousRelation(
            table: "merges", relation: "links", hints: ["from_link", "into_link", "merges_from", "merges_into"])
        #expect(throws: error) { try mergesCatalog.relationship(from: merges, to: "links", hint: nil) }
        let into = try mergesCatalog.relationship(from: merges, to: "links", hint: "into_link")
        #expect(into.pairs == [.init(here: "into_link", there: "id")])
        #expect(throws: QueryError.unknownRelation(table: "links", relation: "tags")) {
            try catalog.relationship(from: links, to: "tags", hint: "nope")
        }
    }
}
