import Confinement
import Foundation
import PictureMessages
import Testing

/// Tests the confined program itself.
@Suite("Imaging / the confined reader")
struct ServiceTests {
    private static let program =
        Bundle.main.executablePath.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }?
        .appendingPathComponent("lectern-pictures").path ?? ""

    private static func start(
        _ change: (inout PictureLimits) -> Void = { _ in }
    ) throws -> (ConfinedProcess, PictureLimits) {
        var limits = PictureLimits()
        change(&limits)
        let process = try ConfinedProcess(
            .init(executable: program, arguments: ["lectern-pictures"] + limits.arguments))
        let greeting = try process.receive(atMost: 64, until: .now + .seconds(60))
        #expect(PictureGreeting(greeting)?.isFiltered == true)
        return (process, limits)
    }

    private static func ask(
        _ process: ConfinedProcess, _ bytes: [UInt8], _ limits: PictureLimits
    ) throws -> PictureAnswer? {
        try process.send(PictureRequest(.article, bytes: bytes).message, until: .now + .seconds(60))
        return PictureAnswer(try process.receive(atMost: limits.answerBytes, until: .now + .seconds(60)))
    }

    @Test("pictures of every kind are read one after another behind the filter")
    func reads() throws {
        let (process, limits) = try Self.start()
        for bytes in [
            Pictures.photo, Pictures.animation,
            Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#.utf8),
        ] {
            guard case .picture? = try Self.ask(process, bytes, limits) else {
                Issue.record("no picture")
                return
            }
        }
        #expect(try Self.ask(process, Array("nothing".utf8), limits) == .refused(.notAPicture))
    }

    @Test("a picture that takes too much memory is refused or ends the process")
    func memory() throws {
        let (process, limits) = try Self.start {
            $0.memoryBytes = 24 << 20
            $0.pixels = 2_000_000_000
        }
        let drawing =
            #"<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="8000"><filter id="f"><feGaussianBlur stdDeviation="9"/></filter>"#
            + #"<rect width="1600" height="8000" filter="url(#f)"/></svg>"#
        do {
            guard case .refused? = try Self.ask(process, Array(drawing.utf8), limits) else {
                Issue.record("it was read")
                return
            }
        } catch ConfinedProcess.MessageError.closed {
            #expect(process.end(after: .seconds(20)) == .outOfMemory)
        }
    }

    @Test("an invalid request ends the process")
    func nonsense() throws {
        let (process, _) = try Self.start()
        try process.send(Message([nil]), until: .now + .seconds(60))
        #expect(throws: ConfinedProcess.MessageError.self) {
            try process.receive(atMost: 64, until: .now + .seconds(60))
        }
        #expect(process.end(after: .seconds(20)) == .exited(1))
    }
}
