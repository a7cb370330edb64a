import Testing

@testable import PictureMessages

@Suite("PictureMessages / refusals")
struct PictureRefusalTests {
    @Test("every refusal has a code and a sentence", arguments: PictureRefusal.allCases)
    func sentence(refusal: PictureRefusal) {
        #expect(PictureRefusal(rawValue: refusal.rawValue) == refusal)
        #expect(refusal.sentence.hasSuffix(".") && refusal.sentence.contains(" "))
    }
}
