import CommonMark
import Confinement
import HTML
import Readability

/// The reading process itself: what `lectern read-pages` runs. It confines itself, then reads one page after another from
/// standard input, until there are no more.
public struct ReaderService {
    private let limits: ReaderLimits
    private let read: (ReaderRequest) -> ReaderResponse

    /// - Parameter arguments: of the command line, as the jobs process gives them.
    public init?(arguments: [String]) {
        guard let limits = ReaderLimits(arguments: arguments) else { return nil }
        self.init(limits: limits) { Self.read($0, limits: limits) }
    }

    /// - Parameter read: what is done with each page, within the limits.
    package init(limits: ReaderLimits, read: @escaping (ReaderRequest) -> ReaderResponse) {
        self.limits = limits
        self.read = read
    }

    /// - Throws: when it cannot be confined, before it reads anything; and when what it is sent is no request.
    public func run() throws {
        let isFiltered = try Confinement(memoryBytes: limits.memoryBytes, name: "lectern-reader").enter()
        let pipe = MessagePipe()
        try pipe.send(ReaderGreeting(isFiltered: isFiltered).message)
        while let message = try pipe.receive(atMost: limits.requestBytes + 64) {
            guard let request = ReaderRequest(message) else { throw NotARequest() }
            TimeLimit.start(seconds: limits.seconds)
            try pipe.send(fitting(read(request)))
            TimeLimit.stop()
        }
    }

    private struct NotARequest: Error {}

    private func fitting(_ answer: ReaderResponse) -> Message {
        let message = answer.message
        let bytes = message.fields.reduce(0) { $0 + 4 + ($1?.count ?? 0) }
        return bytes <= limits.answerBytes ? message : ReaderResponse.overBudget.message
    }

    /// What the product does with a page.
    package static func read(_ request: ReaderRequest, limits: ReaderLimits) -> ReaderResponse {
        var budget = ParseBudget()
        budget.sourceBytes = limits.sourceBytes
        budget.nodes = limits.nodes
        let reader = PageReader(budget: budget)
        switch request.kind {
        case .text: return .read(reader.readText(request.html))
        case .plainText: return .read(reader.readPlainText(request.html, url: request.url))
        // That is another program's.
        case .pdf: return .overBudget
        case .page:
            do throws(ParseError) {
                return .read(try reader.read(request.html, url: request.url, status: request.status.map(Int.init)))
            } catch { return .overBudget }
        case .markdown:
            do throws(ParseError) {
                return .read(try reader.readMarkdown(request.html, url: request.url, render: CommonMark.html))
            } catch { return .overBudget }
        }
    }
}
