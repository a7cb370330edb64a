import Confinement
import Testing

@testable import PictureMessages

@Suite("PictureMessages / messages")
struct PictureMessagesTests {
    private static let webp =
        Array("RIFF".utf8) + [28, 0, 0, 0] + Array("WEBPVP8L".utf8) + [16, 0, 0, 0] + [UInt8](repeating: 7, count: 16)

    @Test("messages are parsed back to themselves")
    func roundTrips() {
        let request = PictureRequest(.preview, bytes: [1, 2, 3])
        #expect(PictureRequest(request.message) == request)
        for answer in [
            PictureAnswer.picture(RecodedPicture(width: 3, height: 4, bytes: Self.webp)), .refused(.tooManyPixels),
        ] { #expect(PictureAnswer(answer.message) == answer) }
        #expect(PictureGreeting(PictureGreeting(isFiltered: true).message)?.isFiltered == true)
    }

    @Test(
        "an answer whose picture does not have the stored form is rejected",
        arguments: [
            (0, 4, webp), (3, 16_384, webp), (3, 4, Array("<svg onload=alert(1)>     ".utf8)), (3, 4, []),
            (3, 4, Array("RIFF".utf8)),
        ])
    func implausible(width: Int, height: Int, bytes: [UInt8]) {
        #expect(
            PictureAnswer(PictureAnswer.picture(RecodedPicture(width: width, height: height, bytes: bytes)).message)
                == nil)
    }

    @Test(
        "unknown messages are rejected",
        arguments: [
            Message([]), Message([nil]), Message([Array("no such reason".utf8)]), Message([[1], nil]),
            Message([[49], [49], nil]),
            Message([[49], [49], [49], [49]]),
        ])
    func strange(message: Message) {
        #expect(PictureAnswer(message) == nil)
        #expect(PictureRequest(message) == nil)
    }
}
