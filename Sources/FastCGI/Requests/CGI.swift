internal import CFastCGI
internal import Glibc
internal import HTTP

/// Answers one request by plain CGI: the environment is the request's head, stdin its body, stdout takes the response.
public enum CGI {
    /// Answers the request that this process was started for. Returns the exit status.
    public static func serveOnce(_ handler: any RequestHandler, options: WorkerOptions = WorkerOptions()) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        guard let environment = fastcgi_environment() else { return 1 }
        // Not every environment variable is a parameter, so their number says nothing about the request's.
        let head = Parameters(list: environment).head(idParameter: options.requestIDParameter, fieldLimit: .max)
        let (request, rejection) = readBody(after: head, limit: options.bodyLimit)
        let response = rejection.map { handler.refuse($0, request) } ?? handler.respond(to: request)
        let text = ResponseText(response, to: request.method)
        return write(text.head) && write(text.body) ? 0 : 1
    }

    private static func readBody(after head: Parameters.Head, limit: Int) -> (Request, RequestRejection?) {
        var request = head.request
        if let rejection = head.rejection { return (request, rejection) }
        // RFC 3875, 4.2: no length means no body.
        let length = head.contentLength ?? 0
        guard length <= limit else { return (request, .bodyTooLarge(limit: limit)) }
        request.body = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            while count < length {
                // The buffer has an address: the loop runs only when its length is above 0.
                let more = read(STDIN_FILENO, buffer.baseAddress! + count, length - count)
                if more < 0, errno == EINTR { continue }
                if more <= 0 { break }
                count += more
            }
        }
        if request.body.count < length {
            request.body = []
            return (request, .bodyIncomplete)
        }
        return (request, nil)
    }

    private static func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                let count = Glibc.write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
