import ArgumentParser
import HTTP
import Pictures
import Settings

extension MaintainCommand {
    struct SweepPictures: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sweep-pictures",
            abstract: "Bring pictures and their files together again.",
            discussion: """
                Removes files that are nobody's picture any more, has pictures fetched again whose file is lost, and lets go of what \
                nothing shows. The jobs process does so once a day. Where the folder, or most of what was in it, is gone at once, or \
                most of its files are nobody's, nothing is done: it may be a disk that is not mounted, or a database that is not \
                restored yet. Also reads LECTERN_HOME, to find the folder.
                """)

        @Flag(help: "Tell how much there is to do, and change nothing.")
        var dryRun = false

        @Flag(help: "Do it even where most is gone: it is gone for good.")
        var evenMost = false

        @Flag(help: "Print JSON.")
        var json = false

        @Option(help: "The folder of the pictures; without, pictures in the home.")
        var dir: String?

        func run() throws {
            let environment = Environment.all
            guard let path = dir ?? environment["LECTERN_PICTURES_DIR"] ?? environment["LECTERN_HOME"].map({ $0 + "/pictures" }) else {
                throw CommandError("where the pictures are is not known: say --dir, or read LECTERN_HOME from lectern.env in the home")
            }
            var connection = try AdminDatabase.connection()
            let report = try AdminDatabase.telling { try PictureSweep(path: path, isDryRun: dryRun, evenMost: evenMost).run(&connection) }
            if report.isOutOfReach { throw CommandError("\(path), or most of what was in it, is not there, or most of it is nobody's: nothing was done. See --even-most.") }
            if json {
                return print(
                    JSONText.object([
                        ("files_removed", "\(report.filesRemoved)"), ("pictures_lost", "\(report.picturesLost)"),
                        ("pictures_loose", "\(report.picturesLoose)"),
                    ]))
            }
            print("files without a picture: \(report.filesRemoved), pictures without a file: \(report.picturesLost), "
                + "pictures that nothing shows: \(report.picturesLoose)")
            if dryRun { print("Nothing was changed.") }
        }
    }
}
