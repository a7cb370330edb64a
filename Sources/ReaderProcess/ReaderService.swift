import Confinement
import HTML
import Readability
import ZIP

/// The reader process, which `lectern read-pages` runs. It confines itself and then reads one page after the other from
/// standard input until there are no more.
public struct ReaderService {
    private let limits: ReaderLimits
    private let read: (ReaderRequest) -> ReaderResponse

    /// - Parameter arguments: the command line's, which the jobs process sets.
    public init?(arguments: [String]) {
        guard let limits = ReaderLimits(arguments: arguments) else { return nil }
        self.init(limits: limits) { Self.read($0, limits: limits) }
    }

    /// - Parameter read: reads one page within the limits.
    package init(limits: ReaderLimits, read: @escaping (ReaderRequest) -> ReaderResponse) {
        self.limits = limits
        self.read = read
    }

    /// - Throws: if the process cannot be confined, before it reads anything, and if a message is not a request.
    public func run() throws {
        let isFiltered = try Confinement(memoryBytes: limits.memoryBytes, name: "lectern-reader").enter()
        let pipe = MessagePipe()
        try pipe.send(ReaderGreeting(isFiltered: isFiltered).message)
        while let message = try pipe.receive(atMost: limits.requestBytes + 64) {
            guard let request = ReaderRequest(message) else { throw NotARequest() }
            TimeLimit.start(seconds: limits.seconds)
            try pipe.send(withinLimit(read(request)))
            TimeLimit.stop()
        }
    }

    private struct NotARequest: Error {}

    private func withinLimit(_ response: ReaderResponse) -> Message {
        let message = response.message
        let bytes = message.fields.reduce(0) { $0 + 4 + ($1?.count ?? 0) }
        return bytes <= limits.answerBytes ? message : ReaderResponse.overBudget.message
    }

    /// Reads one page like `lectern read-pages`.
    package static func read(_ request: ReaderRequest, limits: ReaderLimits) -> ReaderResponse {
        var budget = ParseBudget()
        budget.sourceBytes = limits.sourceBytes
        budget.nodes = limits.nodes
        let reader = PageReader(budget: budget)
        switch request.kind {
        case .text: return .read(reader.readText(request.html))
        case .plainText: return .read(reader.readPlainText(request.html, url: request.url))
        // PDF files are read by `lectern-pdf`.
        case .pdf: return .overBudget
        case .page:
            do throws(ParseError) {
                return .read(try reader.read(request.html, url: request.url, status: request.status.map(Int.init)))
            } catch { return .overBudget }
        case .wholePage:
            do throws(ParseError) { return .read(try reader.readWhole(request.html, url: request.url)) } catch {
                return .overBudget
            }
        case .epub: return readBook(request, reader, limits)
        case .markdown:
            do throws(ParseError) {
                return .read(try reader.readMarkdown(request.html, url: request.url, render: CommonMark.html))
            } catch { return .overBudget }
        }
    }

    private static func readBook(
        _ request: ReaderRequest, _ reader: PageReader, _ limits: ReaderLimits
    ) -> ReaderResponse {
        let archive: ZIPArchive
        do throws(ZIPArchive.Failure) { archive = try ZIPArchive(request.html) } catch {
            return .read(
                PageReading(
                    metadata: PageMetadata(), article: nil,
                    interstitial: error == .encrypted ? .lockedFile : .damagedFile))
        }
        do throws(ParseError) {
            return .read(
                try reader.readBook(url: request.url, size: limits.sourceBytes) { path, limit throws(BookFailure) in
                    do throws(ZIPArchive.Failure) { return try archive.read(path, limit: limit) } catch {
                        switch error {
                        case .damaged: throw .damaged
                        case .encrypted: throw .encrypted
                        case .tooLarge: throw .tooLarge
                        }
                    }
                })
        } catch { return .overBudget }
    }
}
