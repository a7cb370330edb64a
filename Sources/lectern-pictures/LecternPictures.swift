import Confinement
import Glibc
import Imaging
import PictureMessages

/// Reads pictures for `lectern jobs run` in a confined process: one after another from standard input, until it is
/// closed. The only program of the product that links an image library.
@main
struct LecternPictures {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let drawsCovers = arguments.first == PictureUse.cover.rawValue
        guard let limits = PictureLimits(arguments: Array(arguments.dropFirst(drawsCovers ? 1 : 0))) else {
            end("this program is started by `lectern jobs run`", status: 2)
        }
        do { try serve(within: limits, drawsCovers) } catch { end("\(error)", status: 1) }
    }

    private static func end(_ message: String, status: Int32) -> Never {
        let line = Array("lectern-pictures: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status)
    }

    private struct NotARequest: Error {}

    /// - Parameter drawsCovers: whether to open fonts, which takes time and memory.
    private static func serve(within limits: PictureLimits, _ drawsCovers: Bool) throws {
        try PictureConverter.prepare()
        if drawsCovers { CoverDrawing.prepare() }
        // Requests and jobs that somebody waits for have priority; the start has a time limit.
        _ = nice(10)
        let isFiltered = try Confinement(memoryBytes: limits.memoryBytes, name: "lectern-picture", threads: .own)
            .enter()
        let pipe = MessagePipe()
        try pipe.send(PictureGreeting(isFiltered: isFiltered).message)
        while let message = try pipe.receive(atMost: limits.requestBytes) {
            guard let request = PictureRequest(message) else { throw NotARequest() }
            TimeLimit.start(seconds: limits.seconds)
            try pipe.send(answer(to: request, within: limits).message)
            TimeLimit.stop()
        }
    }

    private static func answer(to request: PictureRequest, within limits: PictureLimits) -> PictureAnswer {
        switch PictureConverter.recode(request.bytes, for: request.use, within: limits) {
        case .success(let picture):
            picture.bytes.count < limits.answerBytes - 1_024 ? .picture(picture) : .refused(.tooLarge)
        case .failure(let why): .refused(why)
        }
    }
}
