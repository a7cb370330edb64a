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
            ("insert into lectern.migrations (version, name, checksum) values (9999, 'later.sql', '')", "9999"),
            ("delete from lectern.migrations where version > 5", "5"),
            ("drop schema lectern cascade", "0"),
        ])
    func otherSchema(change: String, found: String) throws {
        let database = try TestDatabase()
        var admin = try Connection(database.conninfo("lectern_admin"))
        try admin.script(change)
        let settings = try Settings(environment: ["LECTERN_JOBS_DATABASE": database.conninfo("lectern_jobs")])
        let refusal = #expect(throws: SavedLinkJobs.OtherSchema.self) {
            try SavedLinkJobs(settings, log: Log(program: "tests", level: "error")).run()
        }
        let words = try #require(refusal).description
        #expect(words.hasPrefix("schema version \(found) found, ") && words.contains("run `lectern migrate`"))
    }
}
