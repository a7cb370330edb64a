import Crypto
import Folders
import Glibc

/// What a service was started from: its command, its environment and its inputs.
///
/// A small file counts with its contents: deploy/run writes some files again although they have not changed. Of a large
/// file only the size and the time count. Such a file is a program; deploy/run replaces it only if its contents differ,
/// and keeps the time of the built program. Reading all programs would take a large part of the time of a start.
struct Fingerprint: Equatable, Sendable {
    /// The size in bytes up to which a file is read.
    static let largestReadFile = 1 << 20

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

    /// A file that cannot be read counts as empty.
    private static func digest(ofFile path: String) -> [UInt8] {
        var digest = RunningDigest()
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return digest.finish() }
        defer { close(file) }
        var status = stat()
        if fstat(file, &status) == 0, status.st_size > largestReadFile {
            let version = "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            digest.add(Array(version.utf8)[...])
            return digest.finish()
        }
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = read(file, &part, part.count), count > 0 { digest.add(part[..<count]) }
        return digest.finish()
    }
}
