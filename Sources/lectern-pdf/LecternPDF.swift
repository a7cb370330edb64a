import Glibc
import ReaderProcess

/// The program that reads PDF files. Only the jobs process starts it, and communicates with it over standard input and
/// output.
@main
struct LecternPDF {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--help" || arguments.first == "-h" {
            print(
                "lectern-pdf reads PDF files for `lectern jobs run`, which starts it confined. It has no other use."
            )
            return
        }
        guard let limits = ReaderLimits(arguments: arguments) else {
            let line = Array("lectern-pdf: only `lectern jobs run` can start this program\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(2)
        }
        try ReaderService(limits: limits) { PDFReading.response(to: $0, limits: limits) }.run()
    }
}
