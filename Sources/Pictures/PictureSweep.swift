import Postgres

/// Removes the differences between files and rows that a crash, a restored backup or a manual change in the folder has
/// left.
public struct PictureSweep: Sendable {
    public struct Report: Equatable, Sendable {
        /// Removed files that belonged to no picture.
        public var filesRemoved = 0
        /// Pictures whose file is missing; they are fetched again.
        public var picturesLost = 0
        /// Pictures that no link shows; they are removed next.
        public var picturesUnused = 0
        /// Nothing was changed: the folder is missing, or most of its files or most of the rows are missing, as when a
        /// disk is not mounted or a database is not restored yet.
        public var isOutOfReach = false
    }

    private let folder: PictureFolder
    private let isDryRun: Bool
    private let evenMost: Bool

    /// - Parameters:
    ///   - path: the folder of the files.
    ///   - evenMost: sweep although most files or rows are missing.
    public init(path: String, isDryRun: Bool = false, evenMost: Bool = false) {
        self.init(folder: PictureFolder(path: path), isDryRun: isDryRun, evenMost: evenMost)
    }

    init(folder: PictureFolder, isDryRun: Bool = false, evenMost: Bool = false) {
        self.folder = folder
        self.isDryRun = isDryRun
        self.evenMost = evenMost
    }

    /// Seconds after which a file without a row is removed. A row is written right after its file.
    private static let oldEnough = 3_600
    private static let atOnce = 1_000

    /// - Parameter connection: a connection of the role lectern_jobs or of the admin.
    public func run(_ connection: inout Connection) throws(PostgresError) -> Report {
        var report = Report()
        let missing = try missingFiles(&connection)
        guard folder.exists else {
            report.isOutOfReach = !missing.lost.isEmpty
            return report
        }
        let strange = try strangeFiles(&connection)
        guard isPlausible(missing.lost.count, of: missing.all), isPlausible(strange.files.count, of: strange.all) else {
            report.isOutOfReach = true
            return report
        }
        report.picturesLost = missing.lost.count
        report.filesRemoved = strange.files.count { isDryRun || folder.remove($0) }
        if !isDryRun {
            for start in stride(from: 0, to: missing.lost.count, by: Self.atOnce) {
                let some = Array(missing.lost[start..<min(start + Self.atOnce, missing.lost.count)])
                _ = try connection.query("select private.fetch_lost_pictures(\(array: some))")
            }
        }
        report.picturesUnused =
            try connection.query("select private.find_unused_pictures(\(isDryRun)::boolean)").int(0, 0) ?? 0
        return report
    }

    private func missingFiles(_ connection: inout Connection) throws(PostgresError) -> (all: Int, lost: [String]) {
        var (all, lost, last) = (0, [String](), "")
        while true {
            let rows = try connection.query("select private.picture_addresses_after(\(last), \(literal: Self.atOnce))")
            for row in 0..<rows.count {
                guard let address = rows.text(row, 0) else { continue }
                last = address
                all += 1
                if PictureAddress(address).map({ !folder.holds($0) }) ?? true { lost.append(address) }
            }
            if rows.count < Self.atOnce { return (all, lost) }
        }
    }

    /// The files that belong to no picture, among all files that are old enough.
    private func strangeFiles(
        _ connection: inout Connection
    ) throws(PostgresError) -> (all: Int, files: [PictureAddress]) {
        var (found, strange) = ([PictureAddress](), [PictureAddress]())
        folder.forEachFile { address, age in
            if age > Self.oldEnough { found.append(address) }
        }
        for start in stride(from: 0, to: found.count, by: Self.atOnce) {
            let some = found[start..<min(start + Self.atOnce, found.count)]
            let rows = try connection.query("select private.unknown_picture_addresses(\(array: some.map(\.path)))")
            strange += (0..<rows.count).compactMap { rows.text($0, 0).flatMap(PictureAddress.init) }
        }
        return (found.count, strange)
    }

    /// Whether so many may be missing by accident. Where most are missing, they are probably in another place.
    private func isPlausible(_ lost: Int, of all: Int) -> Bool { evenMost || lost <= 10 || lost * 2 <= all }
}
