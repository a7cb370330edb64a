import Testing

@testable import PictureMessages

@Suite("PictureMessages / uses")
struct PictureUseTests {
    @Test("icons are stored smaller than previews, and previews smaller than pictures of an article")
    func bounds() {
        let widths = [PictureUse.icon, .preview, .article].map(\.bound.width)
        #expect(widths == widths.sorted() && Set(widths).count == 3)
    }
}
