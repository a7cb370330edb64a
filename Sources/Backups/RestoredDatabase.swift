import Glibc
import Postgres

/// The database of a backup on its way into a new cluster.
struct RestoredDatabase {
    private let cluster: RestoredCluster
    private var restore: ProgramPipe?
    /// The roles that are superusers while the dump is loaded.
    private var raised: [SQL] = []

    /// The name of every instance's database; see deploy/database.sql.
    private static let name = "lectern"

    init(_ cluster: RestoredCluster) { self.cluster = cluster }

    /// Creates the roles, which own what the database holds.
    ///
    /// pg_restore grants privileges and creates policies last, but the functions that the search index calls need both.
    /// Their owners, like all roles, are superusers until the dump is loaded. Nobody can log in as one of them.
    mutating func makeRoles(_ text: [UInt8]) throws {
        var connection = try cluster.connection(to: "postgres")
        try connection.script(RolesDump.statements(of: text))
        let names = try connection.query("select rolname from pg_roles where not rolsuper and rolname !~ '^pg_'")
        raised = (0..<names.count).compactMap { names.text($0, 0).map(SQL.name) }
        for role in raised { _ = try connection.query("alter role \(role) superuser") }
    }

    /// Passes a part of the dump on.
    mutating func add(_ piece: ArraySlice<UInt8>) throws {
        if restore == nil {
            restore = try ProgramPipe(
                cluster.programs.path(of: "pg_restore"),
                [
                    "--create", "--exit-on-error", "--dbname=postgres", "--host=\(cluster.sockets)", "--no-password",
                    "--username=\(RolesDump.bootstrap)",
                ], .input)
        }
        guard let restore else { return }
        do throws(WriteFailure) { try Descriptor.write(piece, to: restore.descriptor) } catch {
            // It has ended; the reason is what it said.
            try restore.finish()
            throw restore.failure()
        }
    }

    /// Waits for the end, compares the rows, and takes the superusers their login.
    mutating func finish(expecting counts: TableCounts) throws {
        try restore?.finish()
        restore = nil
        var connection = try cluster.connection(to: Self.name)
        for role in raised { _ = try connection.query("alter role \(role) nosuperuser") }
        let differences = counts.differences(from: try TableCounts(&connection))
        guard differences.isEmpty else { throw BackupError.differentRows(differences) }
        try connection.script("analyze")
        try connection.script(
            """
            revoke all on database postgres, template1 from public;
            do $$
            declare
                name text;
            begin
                for name in select rolname from pg_roles where rolsuper loop
                    execute format('alter role %I with nologin password null', name);
                end loop;
            end
            $$
            """)
    }
}
