import Foundation
import PictureMessages
import Testing

@testable import Pictures

@Suite("Pictures / the process of a thread")
struct PictureReaderTests {
    private static func reader(rest: Duration) -> PictureReader {
        let folder = Bundle.main.executablePath.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        let program = folder?.appendingPathComponent("lectern-pictures").path ?? ""
        return PictureReader(program: program, limits: PictureLimits(), rest: rest)
    }

    @Test("a process is kept as long as it may rest, and started again when it is needed")
    func rest() throws {
        let patient = Self.reader(rest: .seconds(3_600))
        #expect(patient.endIdleProcess() == nil)
        try patient.start()
        let left = try #require(patient.endIdleProcess())
        #expect((1...3_600_001).contains(left))

        let impatient = Self.reader(rest: .zero)
        for _ in 0..<2 {
            try impatient.start()
            #expect(impatient.endIdleProcess() == nil)
        }
    }
}
