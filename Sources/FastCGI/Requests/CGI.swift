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
        let (request, rejection) = readBody(after: head, options)
        let response = rejection.map { handler.refuse($0, request) } ?? handler.respond(to: request)
        let text = ResponseText(response, to: request.method)
        return write(text.head) && write(text.body) ? 0 : 1
    }

    private static func readBody(
        after head: Parameters.Head, _ options: WorkerOptions
    ) -> (Request, RequestRejection?) {
        var request = head.request
        if let rejection = head.rejection { return (request, rejection) }
        // RFC 3875, 4.2: no length means no body.
        let length = head.contentLength ?? 0
        let folder = options.bodyFolder.flatMap { $0.contains(request) ? $0 : nil }
        let limit = folder?.limit ?? options.bodyLimit
        guard length <= limit else { return (request, .bodyTooLarge(limit: limit)) }
        if let folder { return writeBody(length, of: request, to: folder) }
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

    private static func writeBody(
        _ length: Int, of request: Request, to folder: BodyFolder
    ) -> (Request, RequestRejection?) {
        var request = request
        do throws(BodyFile.Failure) {
            let file = try folder.makeFile()
            var (piece, written) = ([UInt8](repeating: 0, count: 1 << 16), 0)
            while written < length {
                let more = read(STDIN_FILENO, &piece, min(piece.count, length - written))
                if more < 0, errno == EINTR { continue }
                guard more > 0 else { return (request, .bodyIncomplete) }
                var failure: BodyFile.Failure?
                piece.withUnsafeBytes { bytes in
                    do throws(BodyFile.Failure) {
                        try file.append(UnsafeRawBufferPointer(rebasing: bytes[..<more]))
                    } catch { failure = error }
                }
                if let failure { throw failure }
                written += more
            }
            request.bodyFile = file
            return (request, nil)
        } catch {
            return (request, error.isOutOfSpace ? .diskFull : .bodyNotStored(reason: error.description))
        }
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
