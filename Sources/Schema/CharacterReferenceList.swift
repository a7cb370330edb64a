import Postgres
import Text

/// The named character references in the database.
struct CharacterReferenceList {
    let references: CharacterReferences

    /// Fills the table rest.character_references if it has another number of rows than the list. The standard's list never
    /// changes, so an equal number means equal names.
    func install(_ connection: inout Connection) throws {
        guard try connection.query("select to_regclass('rest.character_references') is not null").bool(0, 0) == true
        else { return }
        let named = references.named
        guard try connection.query("select count(*) from rest.character_references").int(0, 0) != named.count else {
            return
        }
        // No name stands for a space, so a space can separate the characters.
        let names = named.map(\.name).joined(separator: " "),
            characters = named.map(\.characters).joined(separator: " ")
        _ = try connection.query(
            """
            insert into rest.character_references (name, characters)
            select * from unnest(string_to_array(\(names), ' '), string_to_array(\(characters), ' '))
            on conflict do nothing
            """)
    }
}
