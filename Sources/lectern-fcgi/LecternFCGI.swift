import App
import FastCGI
import Glibc
import Processes
import Settings
import Telemetry

/// One FastCGI worker on the socket inherited as descriptor 0. If the descriptor is not a socket, a CGI program for one
/// request.
@main
enum LecternFCGI {
    static func main() {
        OwnMemory.hide()
        let settings: Settings
        let services: Services
        do {
            settings = try Settings(environment: Environment.withSecrets())
            let log = Log(program: "lectern-fcgi", level: settings.text("LOG_LEVEL"))
            services = try Services(settings, log: log, membership: try PoolMembership.inherited())
        } catch {
            let line = Array("lectern-fcgi: \(error)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            // 78 is EX_CONFIG of sysexits.h: a restart does not help.
            exit(78)
        }
        guard Worker.isOnSocket else { exit(CGI.serveOnce(RequestResponder(services))) }
        services.watchSchema()
        let worker = Worker(options: .init(settings), membership: services.membership) { RequestResponder(services) }
        // `_exit` skips the libraries' cleanup, which is unsafe while other threads run: those with aborted requests,
        // and the one that watches the schema.
        _exit(worker.run())
    }
}
