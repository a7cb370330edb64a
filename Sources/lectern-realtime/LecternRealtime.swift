import Auth
import Glibc
import Processes
import Realtime
import Schema
import Settings
import Telemetry
import Threads

/// The service that tells clients about changes over WebSockets.
@main
enum LecternRealtime {
    static func main() {
        OwnMemory.hide()
        switch CommandLineOptions.parse(CommandLine.arguments.dropFirst()) {
        case .help:
            write(CommandLineOptions.help, to: STDOUT_FILENO)
        case .wrongUsage(let reason):
            write("lectern-realtime: \(reason)\n", to: STDERR_FILENO)
            exit(2)
        case .run(let options):
            do {
                try RealtimeService(Settings(environment: Environment.withSecrets()), options).run()
            } catch let problem as Settings.Invalid {
                write("lectern-realtime: \(problem)\n", to: STDERR_FILENO)
                // 78 is EX_CONFIG of sysexits.h: a restart does not help.
                exit(78)
            } catch {
                write("lectern-realtime: \(error)\n", to: STDERR_FILENO)
                exit(1)
            }
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
