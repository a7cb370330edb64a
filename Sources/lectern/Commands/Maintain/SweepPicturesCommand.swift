import ArgumentParser
import JSON
import Pictures
import Settings

extension MaintainCommand {
    struct SweepPictures: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sweep-pictures",
            abstract: "Delete unused picture files; fetch lost ones again.",
            discussion: """
                Deletes files that belong to no picture, queues pictures whose file is lost, and deletes pictures that nothing \
                shows. The jobs process does the same once a day. When the folder or most of its files are missing, or most files \
                belong to no picture, nothing is done: the disk may not be mounted, or the database not restored yet. Finds the \
                folder by LECTERN_HOME.
                """)

        @Flag(help: "Count what would change, and change nothing.")
        var dryRun = false

        @Flag(help: "Proceed even when most files or pictures are missing.")
        var evenMost = false

        @Flag(help: "Print JSON.")
        var json = false

        @Option(help: "Folder of the pictures (default: pictures in the home).")
        var dir: String?

        func run() throws {
            let environment = Environment.all
            guard
                let path = dir ?? environment["LECTERN_PICTURES_DIR"]
                    ?? environment["LECTERN_HOME"].map({ $0 + "/pictures" })
            else {
                throw CommandError(
                    "the folder of the pictures is unknown; give --dir, or load LECTERN_HOME from lectern.env")
            }
            var connection = try AdminDatabase.connection()
            let report = try AdminDatabase.describingErrors {
                try PictureSweep(path: path, isDryRun: dryRun, evenMost: evenMost).run(&connection)
            }
            if report.isOutOfReach {
                throw CommandError(
                    "\(path): the folder or most of its files are missing, or most files belong to no picture; nothing was "
                        + "changed. To proceed, give --even-most")
            }
            if json {
                return print(
                    JSONText.object([
                        ("files_removed", "\(report.filesRemoved)"), ("pictures_lost", "\(report.picturesLost)"),
                        ("pictures_unused", "\(report.picturesUnused)"),
                    ]))
            }
            print(
                "files without a picture: \(report.filesRemoved), pictures without a file: \(report.picturesLost), "
                    + "pictures that nothing shows: \(report.picturesUnused)")
            if dryRun { print("Nothing was changed.") }
        }
    }
}
