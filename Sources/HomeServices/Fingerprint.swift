import Crypto
import Glibc

/// What a service was started from: its command, its environment and its inputs.
struct Fingerprint: Equatable, Sendable {
    private let digest: [UInt8]

    init(of service: Service, in home: HomeFolder) {
        let environment = ["env", "secrets"].map { "\(HomeFolder.environmentFolder)/\(service.name).\($0)" }
        let files = Set(
            (environment + service.inputs).flatMap {
                Folder.files(below: $0, in: home.path, except: service.ignoredInput)
            })
        var digest = RunningDigest()
        digest.add(Array((service.command.joined(separator: " ") + "\n").utf8)[...])
        for file in files.sorted() {
            digest.add((Array(file.utf8) + [0])[...])
            digest.add(Self.digest(ofFile: "\(home.path)/\(file)")[...])
        }
        self.digest = digest.finish()
    }

    /// A file that cannot be read counts as empty. Programs are large, so files are read in parts.
    private static func digest(ofFile path: String) -> [UInt8] {
        var digest = RunningDigest()
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return digest.finish() }
        defer { close(file) }
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = read(file, &part, part.count), count > 0 { digest.add(part[..<count]) }
        return digest.finish()
    }
}
