import FastCGI
import Glibc
import HTTP

/// Answers with a description of the request. Some paths make it answer slowly or never.
final class Echo: RequestHandler {
    private let slot: ScoreboardSlot?
    private let limit: Int
    /// The number of slow requests this handler has answered.
    private var slowAnswers = 0

    /// Each request is counted in counter 0 of the slot. `limit` is the limit of every source.
    init(slot: ScoreboardSlot? = nil, limit: Int = 1) {
        self.slot = slot
        self.limit = limit
    }

    func lane(of request: Request) -> Lane { request.path == "/slow" ? .slow : .ordinary }

    /// The source with the number in the query.
    func source(of request: Request) -> RequestSource? {
        number("source", in: request.query).map { RequestSource(key: UInt64($0), limit: limit) }
    }

    func respond(to request: Request) -> Response {
        slot?.add(counter: 0)
        switch request.path {
        case "/sleep":
            pause(as: request.query)
            return Response(status: 200, body: Array("slept \(getpid())".utf8))
        case "/slow":
            pause(as: request.query)
            slowAnswers += 1
            return Response(status: 200, body: Array("slow \(slowAnswers) at \(niceness)".utf8))
        case "/niceness":
            return Response(status: 200, body: Array("\(niceness)".utf8))
        case "/crash":
            abort()
        case "/pid":
            return Response(status: 200, body: Array("\(getpid())".utf8))
        case "/bytes":
            return Response(status: 200, body: [UInt8](repeating: 0x61, count: number("count", in: request.query) ?? 0))
        case "/length":
            let sum = request.body.reduce(into: UInt64(0)) { $0 = $0 &* 31 &+ UInt64($1) }
            return Response(status: 200, body: Array("\(request.body.count) \(sum)".utf8))
        case "/file":
            let name = request.query
            if !name.isEmpty { try? request.bodyFile?.keep(as: name) }
            return Response(status: 200, body: Array("\(request.body.count) \(request.bodyFile?.size ?? -1)".utf8))
        case "/inject":
            return Response(status: 200, headers: ["x-note": "a\r\nset-cookie: b"], body: [])
        case "/empty":
            return Response(status: 204, body: Array("never sent".utf8))
        default:
            return Response(status: 200, headers: ["content-type": "text/plain"], body: Array(describe(request).utf8))
        }
    }

    func refuse(_ rejection: RequestRejection, _ request: Request) -> Response {
        Response(status: rejection.status, body: Array("refused: \(rejection)".utf8))
    }

    private func describe(_ request: Request) -> String {
        var lines = [
            "method=\(request.method)", "path=\(request.path)", "query=\(request.query)", "id=\(request.id)",
            "remote=\(request.remoteAddress ?? "none")", "body=\(String(decoding: request.body, as: UTF8.self))",
        ]
        lines += request.headers.fields.map { "\($0.name): \($0.value)" }
        return lines.joined(separator: "\n")
    }

    /// Pauses for a number of milliseconds (`ms`), or until a file exists (`until`), for a minute at most. Before that it
    /// creates a file (`started`).
    private func pause(as query: String) {
        if let file = value("started", in: query) { close(creat(file, 0o600)) }
        usleep(UInt32(number("ms", in: query) ?? 0) * 1_000)
        guard let file = value("until", in: query) else { return }
        for _ in 0..<30_000 where access(file, F_OK) != 0 { usleep(2_000) }
    }

    /// This thread's nice value.
    private var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    private func number(_ name: String, in query: String) -> Int? { value(name, in: query).flatMap { Int($0) } }

    private func value(_ name: String, in query: String) -> String? {
        let pair = query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
        return pair.map { String($0.dropFirst(name.utf8.count + 1)) }
    }
}
