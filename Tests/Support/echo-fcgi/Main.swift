import FastCGI
import Glibc

@main
enum Main {
    static func main() {
        exit(Worker.isOnSocket ? work() : CGI.serveOnce(Echo()))
    }

    private static func work() -> Int32 {
        guard let membership = try? PoolMembership.inherited() else {
            var options = WorkerOptions()
            options.threads = 2
            return Worker(options: options, membership: nil) { Echo() }.run()
        }
        return Worker(options: WorkerOptions(), membership: membership) { Echo() }.run()
    }
}
