import Postgres
import Text

/// The named character references in the database.
struct ReferenceNames {
    let references: CharacterReferences

    /// Fills rest.character_references (sql/0023_entities.sql), where there is one that is not full. The standard's list
    /// never changes, so as many names are the same names.
    func install(_ connection: inout Connection) throws {
        guard try connection.query("select to_regclass('rest.character_references') is not null").bool(0, 0) == true else { return }
        let named = references.named
        guard try connection.query("select count(*) from rest.character_references").int(0, 0) != named.count else { return }
        // None of the names stands for a blank.
        let names = named.map(\.name).joined(separator: " "), characters = named.map(\.characters).joined(separator: " ")
        _ = try connection.query(
            """
            insert into rest.character_references (name, characters)
            select * from unnest(string_to_array(\(names), ' '), string_to_array(\(characters), ' '))
            on conflict do nothing
            """)
    }
}
