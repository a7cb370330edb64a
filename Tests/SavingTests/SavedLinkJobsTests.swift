import Postgres
import Saving
import Settings
import Telemetry
import TestDatabase
import Testing

@Suite("Saving / jobs process", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct SavedLinkJobsTests {
    @Test(
        "a database of another version is refused at the start, with what to do",
        arguments: [
            ("insert into lectern.migrations (version, name, checksum) values (9999, '9999_later.sql', '')", true),
            ("update lectern.schema_files set checksum = '' where name = 'auth_claims.sql'", true),
            ("delete from lectern.migrations; delete from lectern.schema_files", false),
            ("drop schema lectern cascade", false),
        ])
    func otherSchema(change: String, isVersion: Bool) throws {
        let database = try TestDatabase()
        var admin = try Connection(database.conninfo("lectern_admin"))
        try admin.script(change)
        let settings = try Settings(environment: ["LECTERN_JOBS_DATABASE": database.conninfo("lectern_jobs")])
        let refusal = #expect(throws: SavedLinkJobs.OtherSchema.self) {
            try SavedLinkJobs(settings, schema: TestDatabase.schemaVersion, log: Log(program: "tests", level: "error"))
                .run()
        }
        let words = try #require(refusal).description
        let found = try #require(words.split(separator: " ").dropFirst(2).first)
        let needed = TestDatabase.schemaVersion.description
        #expect(words.hasPrefix("schema version \(found) found, \(needed) needed: run `lectern migrate`"))
        #expect(isVersion ? found.count == needed.count && found != needed : found == "none")
    }
}
