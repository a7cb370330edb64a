import Glibc
import ReaderProcess

/// Not for people: the jobs start it, and talk with it over its standard input and output.
@main
struct LecternPDF {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--help" || arguments.first == "-h" {
            print("lectern-pdf: reads PDF files for `lectern jobs run`, which starts it, confined. It has no other use.")
            return
        }
        guard let limits = ReaderLimits(arguments: arguments) else {
            let line = Array("lectern-pdf: started by `lectern jobs run`, not by people\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(2)
        }
        try ReaderService(limits: limits) { PDFReading.answer($0, limits: limits) }.run()
    }
}
