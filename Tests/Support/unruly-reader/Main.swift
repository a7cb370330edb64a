import Confinement
import Glibc
import Readability
import ReaderProcess

/// The reader process with one difference: a page whose text begins with `do:` is an instruction. Confined by the same
/// code.
@main
struct UnrulyReader {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "stillborn" { exit(7) }
        guard let limits = ReaderLimits(arguments: arguments) else { exit(2) }
        try ReaderService(limits: limits) { request in
            let words = String(decoding: request.html.prefix(40), as: UTF8.self).split(separator: " ")
            if words.first == "do:", words.count > 1, let act = Act(rawValue: String(words[1])),
                request.kind == .page || words.dropFirst(2).first == "always"
            {
                if act == .attack { return .read(PageReading(attacking: request.url)) }
                return .read(PageReading(said: act.perform()))
            }
            return ReaderService.read(request, limits: limits)
        }.run()
    }
}

/// An instruction. With the third word `always`, as in `do: spin always`, it also applies to the plain text.
private enum Act: String {
    case allocate, map, spin, wait, trap, abort, overrun, leave, close, rubbish, babble, boast, fork, exec, socket, kill
    case open, thread, code, descriptors, environment
    /// Answers with an article that attacks the browser of its reader.
    case attack

    /// - Returns: the result, if the process can still report one.
    func perform() -> String {
        switch self {
        case .allocate:
            var blocks: [[UInt8]] = []
            while true { blocks.append([UInt8](repeating: 1, count: 1 << 20)) }
        case .map:
            var count = 0
            while mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED {
                count += 1
            }
            return "\(count)"
        case .spin: while true {}
        case .wait:
            var byte: UInt8 = 0
            while true { _ = read(STDIN_FILENO, &byte, 1) }
        // To crash is what the test asks for.
        case .trap: fatalError("as told")
        case .abort: Glibc.abort()
        // Not nil, because 16 is not 0. No page is mapped at that address, so the read ends the process.
        case .overrun: return "\(UnsafePointer<Int>(bitPattern: 16)!.pointee)"
        case .leave: exit(0)
        case .close:
            Glibc.close(STDIN_FILENO)
            Glibc.close(STDOUT_FILENO)
            var mutex = pthread_mutex_t()
            while true { pthread_mutex_lock(&mutex) }
        case .rubbish: return put([7, 0, 0, 0, 200, 200, 200, 200, 1, 2, 3])
        case .babble: while true { _ = put([UInt8](repeating: 0x20, count: 1 << 16)) }
        case .boast: return put([0xFF, 0xFF, 0xFF, 0x7F])
        case .fork:
            // The C library forks in posix_spawn. Swift does not allow `fork`.
            var pid: Int32 = 0
            var arguments: [UnsafeMutablePointer<CChar>?] = [nil]
            return said(posix_spawn(&pid, "/bin/true", nil, nil, &arguments, &arguments))
        case .exec:
            var arguments: [UnsafeMutablePointer<CChar>?] = [nil]
            return said(execv("/bin/true", &arguments))
        case .socket: return said(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        case .kill: return said(Glibc.kill(1, 0))
        case .open: return said(Glibc.open("/etc/passwd", O_RDONLY))
        case .thread:
            var thread = pthread_t()
            return said(pthread_create(&thread, nil, { _ in nil }, nil))
        case .code:
            let memory = mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            return memory == MAP_FAILED ? "refused" : "mapped"
        case .descriptors: return said(dup(STDIN_FILENO))
        case .environment: return environ[0].map { String(cString: $0) } ?? "none"
        case .attack: return ""
        }
    }

    private func put(_ bytes: [UInt8]) -> String {
        _ = write(STDOUT_FILENO, bytes, bytes.count)
        return ""
    }

    private func said(_ result: Int32) -> String { result == -1 ? "refused" : "\(result)" }
}

extension PageReading {
    fileprivate init(said words: String) {
        var metadata = PageMetadata()
        metadata.title = words
        self.init(metadata: metadata, article: nil)
    }

    fileprivate init(attacking url: String) {
        let content = """
            <p onclick="alert(1)">Words <script>alert(2)</script><a href="javascript:alert(3)">and</a> \
            <a href="/more">more</a><iframe src="\(url)"></iframe></p>
            """
        self.init(
            metadata: PageMetadata(),
            article: StoredArticle(title: "", content: content, textContent: "Words and more", length: 14, wordCount: 3)
        )
    }
}
