import Testing

@testable import PictureCoding

@Suite("PictureCoding / limits")
struct PictureLimitsTests {
    @Test("arguments are parsed back to the same limits")
    func roundTrip() {
        var limits = PictureLimits()
        (limits.sourceBytes, limits.pixels, limits.seconds, limits.memoryBytes) = (1, 2, 3, 4)
        #expect(PictureLimits(arguments: limits.arguments) == limits)
    }

    @Test(
        "other arguments are refused",
        arguments: [
            [], ["source=1"], ["source=1", "pixels=2", "seconds=3", "memory=-4"],
            ["pixels=2", "source=1", "seconds=3", "memory=4"],
            ["source=1", "pixels=2", "seconds=3", "memory=x"],
        ])
    func refused(arguments: [String]) { #expect(PictureLimits(arguments: arguments) == nil) }

    @Test("an answer may be larger than the file, and a request has room for the file")
    func room() {
        let limits = PictureLimits()
        #expect(limits.requestBytes > limits.sourceBytes && limits.answerBytes > limits.sourceBytes)
        #expect(limits.responseTimeout > .seconds(limits.seconds))
    }
}
