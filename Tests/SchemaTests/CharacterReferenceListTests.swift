import Postgres
import Schema
import TestDatabase
import Testing
import Text

@Suite("Schema / reference names", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct CharacterReferenceListTests {
    @Test("the database has all names, and migrating again restores missing ones")
    func filled() throws {
        let database = try TestDatabase()
        var admin = try Connection(database.conninfo("lectern_admin"))
        func migrate() throws { try Migrator(try SchemaFiles(in: TestDatabase.sqlDirectory)).migrate(&admin) { _ in } }
        func count() throws -> Int? { try admin.query("select count(*) from rest.character_references").int(0, 0) }
        #expect(try count() == CharacterReferences.standard.named.count)
        _ = try admin.query("delete from rest.character_references where name like 'a%'")
        #expect(try admin.query("select rest.decode_entities('&amp;&eacute;')").text(0, 0) == "&amp;é")
        try migrate()
        #expect(try count() == CharacterReferences.standard.named.count)
        #expect(try admin.query("select rest.decode_entities('&amp;&eacute;')").text(0, 0) == "&é")
    }
}
