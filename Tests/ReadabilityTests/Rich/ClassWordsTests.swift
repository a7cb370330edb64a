import HTML
import Testing

@testable import Readability

@Suite("Readability / words of classes")
struct ClassWordsTests {
    @Test("names and words of class and id are collected in lower case")
    func words() throws {
        let document = try Document(parsing: "<p class='Line-Numbers  ad' id=top_2>")
        let words = ClassWords(of: try #require(document.first([.p], below: document.root)), in: document)
        #expect(words.names == ["line-numbers", "ad", "top_2"])
        #expect(words.words == ["line", "numbers", "ad", "top", "2"])
        #expect(words.hasName(of: ["ad", "x"]) && !words.hasName(of: ["line"]) && words.hasWord(of: ["line"]))
    }
}
