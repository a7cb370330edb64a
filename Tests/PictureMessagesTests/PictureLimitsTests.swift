import Testing

@testable import PictureMessages

@Suite("PictureMessages / limits")
struct PictureLimitsTests {
    @Test("all limits are arguments of the process")
    func arguments() {
        var limits = PictureLimits()
        (limits.sourceBytes, limits.pixels, limits.seconds, limits.memoryBytes) = (1, 2, 3, 4)
        #expect(limits.arguments == ["source=1", "pixels=2", "seconds=3", "memory=4"])
        #expect(PictureLimits(arguments: limits.arguments) == limits)
    }

    @Test("an answer may be larger than the file, and a request has room for the file")
    func room() {
        let limits = PictureLimits()
        #expect(limits.requestBytes > limits.sourceBytes && limits.answerBytes > limits.sourceBytes)
    }
}
