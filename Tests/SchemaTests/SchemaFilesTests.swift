import Foundation
import Schema
import TestDatabase
import Testing

@Suite("Schema / files")
struct SchemaFilesTests {
    private let files: SchemaFiles

    init() throws { files = try SchemaFiles(in: TestDatabase.sqlDirectory) }

    @Test("migrations are numbered from 1 without gaps, and there are definitions")
    func numbered() {
        #expect(files.migrations.map(\.version) == Array(1...files.migrations.count))
        #expect(files.migrations.first?.name == "0001_baseline.sql")
        #expect(!files.definitions.isEmpty)
    }

    @Test("a folder without SQL files is an error and not an empty schema")
    func missing() { #expect(throws: MigrationError.self) { _ = try SchemaFiles(in: "/nonexistent") } }

    @Test("any changed, added or removed file changes the schema version")
    func version() {
        let version = SchemaVersion(of: files)
        #expect(version == TestDatabase.schemaVersion)
        var edited = files
        edited.definitions[3] = Definitions(name: files.definitions[3].name, text: files.definitions[3].text + "\n")
        var shorter = files
        shorter.definitions.removeLast()
        var longer = files
        longer.migrations.append(
            Migration(version: files.migrations.count + 1, name: "0002_more.sql", text: "select 1"))
        let others = [edited, shorter, longer].map { SchemaVersion(of: $0) }
        #expect(Set((others + [version]).map(\.fingerprint)).count == 4)
    }

    @Test("every function, view, trigger and policy is defined exactly once")
    func definedOnce() {
        let all = files.definitions.flatMap { file in
            Definition.all(in: file.text).map { (definition: $0, file: file.name) }
        }
        #expect(all.count > 200, "the expression below finds what there is")
        for (definition, places) in Dictionary(grouping: all, by: \.definition) {
            #expect(places.count == 1, "\(definition) is defined in \(places.map(\.file).joined(separator: ", "))")
        }
    }

    @Test("a migration defines no function, view, trigger or policy that is missing from the schema files")
    func definedInSchemaFiles() {
        let known = Set(files.definitions.flatMap { Definition.all(in: $0.text) })
        for migration in files.migrations {
            for definition in Definition.all(in: migration.text) {
                #expect(known.contains(definition), "\(migration.name) defines \(definition)")
            }
        }
        #expect(files.migrations.first.map { Definition.all(in: $0.text) } == [], "the baseline holds tables only")
    }
}

/// One `create` statement of something that belongs into a schema file, such as `function rest.has_star(title text)`.
private struct Definition: Hashable, CustomStringConvertible {
    let description: String

    /// Reads statements that begin a line, as all in sql/schema do.
    static func all(in sql: String) -> [Definition] {
        let patterns = [
            #"(?m)^create (?:or replace )?(function|procedure) ([\w.]+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)"#,
            #"(?m)^create (?:or replace )?(view) ([\w.]+)()"#,
            #"(?m)^create (?:or replace )?(?:constraint )?(trigger) (\w+)\s[^;]*?\son ([a-z]+\.\w+)"#,
            #"(?m)^create (policy) (\w+) on ([\w.]+)"#,
        ]
        return patterns.flatMap { pattern in
            // The patterns are the constants above. One that is not valid fails every test here.
            let expression = try! NSRegularExpression(pattern: pattern)
            return expression.matches(in: sql, range: NSRange(sql.startIndex..., in: sql)).map { match in
                let parts = (1...3).map { (sql as NSString).substring(with: match.range(at: $0)) }
                return Definition(
                    description: parts.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(
                        separator: " "))
            }
        }
    }
}
