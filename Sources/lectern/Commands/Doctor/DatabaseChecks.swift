import Folders
import Glibc
import Postgres
import Schema

/// The server, the schema, the services that are connected, indexes and queues.
struct DatabaseChecks {
    /// The version of this program.
    let version: String

    func findings(_ connection: inout Connection) throws -> [Finding] {
        try connection.script("set statement_timeout = '60s'")
        return try [
            versions(&connection), services(&connection), indexes(&connection), checksums(&connection),
            logins(&connection), clock(&connection), jobs(&connection), mails(&connection),
        ]
    }

    private func versions(_ connection: inout Connection) throws -> Finding {
        let server = try connection.query("select current_setting('server_version')").text(0, 0) ?? ""
        let text = "Lectern \(version), PostgreSQL \(server)"
        do {
            let files = try SchemaVersion(ofFilesIn: SQLFolder.find())
            try files.check(&connection)
            return .ok("versions", "\(text), schema \(files)")
        } catch let error as PostgresError {
            return .wrong(
                "versions", "\(text): \(AdminDatabase.message(for: error))",
                "run deploy/run of the version that you want to use")
        }
    }

    /// The services by the roles with which they connect. After a restart of PostgreSQL the realtime service connects
    /// again when a client subscribes to changes.
    private func services(_ connection: inout Connection) throws -> Finding {
        let expected = [
            ("workers", "authenticator"), ("jobs", "lectern_jobs"), ("realtime service", "lectern_realtime"),
        ]
        let rows = try connection.query(
            "select distinct usename from pg_stat_activity where datname = current_database()")
        var running = Set((0..<rows.count).compactMap { rows.text($0, 0) })
        if Self.isRunning("lectern-realtime") { running.insert("lectern_realtime") }
        let missing = expected.filter { !running.contains($0.1) }.map(\.0)
        return missing.isEmpty
            ? .ok("services", "the workers, the jobs and the realtime service run")
            : .wrong(
                "services", "not connected to the database: \(missing.joined(separator: ", "))",
                "run deploy/run; the logs are in log/ of the home")
    }

    /// Whether a process of a program of this name runs.
    private static func isRunning(_ program: String) -> Bool {
        Folder.names(in: "/proc").contains { pid in
            guard pid.first?.isNumber == true, let file = fopen("/proc/\(pid)/cmdline", "re") else { return false }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = fread(&bytes, 1, bytes.count, file)
            return String(decoding: bytes[..<count].prefix { $0 != 0 }, as: UTF8.self).hasSuffix("/" + program)
        }
    }

    private func indexes(_ connection: inout Connection) throws -> Finding {
        let rows = try connection.query(
            "select indexrelid::regclass::text from pg_index where not indisvalid or not indisready order by 1")
        let names = (0..<rows.count).compactMap { rows.text($0, 0) }
        return names.isEmpty
            ? .ok("indexes", "all are valid")
            : .wrong(
                "indexes", "invalid: \(names.joined(separator: ", "))",
                "run in psql: " + names.map { "reindex index \($0);" }.joined(separator: " "))
    }

    private func checksums(_ connection: inout Connection) throws -> Finding {
        let failures = try connection.query("select coalesce(sum(checksum_failures), 0) from pg_stat_database").int(
            0, 0)
        return failures ?? 0 == 0
            ? .ok("checksums", "no page of the database is damaged")
            : .wrong(
                "checksums", "\(failures ?? 0) pages of the database were damaged when they were read",
                "check the disk, and restore the last backup into a new home")
    }

    private func logins(_ connection: inout Connection) throws -> Finding {
        let rows = try connection.query("select rolname from pg_roles where rolsuper and rolcanlogin")
        let names = (0..<rows.count).compactMap { rows.text($0, 0) }
        return names.isEmpty
            ? .ok("logins", "no superuser of the database can log in")
            : .wrong(
                "logins", "superusers that can log in: \(names.joined(separator: ", "))",
                "run in psql as one of them: " + names.map { "alter role \($0) nologin;" }.joined(separator: " "))
    }

    private func clock(_ connection: inout Connection) throws -> Finding {
        let future = try connection.query(
            "select count(*) from public.links where created_at > now() + interval '1 day'")
        return future.int(0, 0) == 0
            ? .ok("times", "no link has a date in the future")
            : .warning(
                "times", "\(future.int(0, 0) ?? 0) links have a date in the future",
                "set the clock, then run lectern maintain timestamps --dry-run")
    }

    private func jobs(_ connection: inout Connection) throws -> Finding {
        let rows = try connection.query(
            """
            select count(*) filter (where state = 'pending' and run_at < now() - interval '1 hour'),
                count(*) filter (where state = 'buried')
            from private.jobs
            """)
        let (late, buried) = (rows.int(0, 0) ?? 0, rows.int(0, 1) ?? 0)
        if late > 0 {
            return .warning(
                "jobs", "\(late) jobs have been due for more than an hour",
                "look at lectern jobs status and at log/jobs.log of the home")
        }
        return .ok("jobs", buried == 0 ? "none is late" : "none is late; \(buried) have failed, see lectern jobs list")
    }

    private func mails(_ connection: inout Connection) throws -> Finding {
        let failed = try connection.query(
            "select count(*) from private.mails where state = 'failed' and created_at > now() - interval '7 days'"
        ).int(0, 0)
        return failed ?? 0 == 0
            ? .ok("mails", "none has failed in the last week")
            : .warning(
                "mails", "\(failed ?? 0) could not be sent in the last week",
                "look at lectern mail list; lectern mail retry sends them again")
    }
}
