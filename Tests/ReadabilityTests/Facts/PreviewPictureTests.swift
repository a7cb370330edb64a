import Testing

@testable import Readability

@Suite("Readability / preview picture")
struct PreviewPictureTests {
    @Test("a logo is the preview picture only if there is no other picture")
    func picture() {
        let logo = "https://cdn.example/assets/site-logo.png"
        #expect(PreviewPicture.choose([logo, "https://cdn.example/a.jpg"], logo: nil) == "https://cdn.example/a.jpg")
        #expect(
            PreviewPicture.choose(
                ["https://cdn.example/x.png", "https://cdn.example/a.jpg"], logo: "https://cdn.example/x.png")
                == "https://cdn.example/a.jpg")
        #expect(
            PreviewPicture.choose([logo], logo: nil, inArticle: "https://cdn.example/b.jpg")
                == "https://cdn.example/b.jpg")
        #expect(PreviewPicture.choose([logo], logo: nil) == logo)
        #expect(PreviewPicture.choose([], logo: nil) == nil)
    }
}
