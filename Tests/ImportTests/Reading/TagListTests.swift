import Testing

@testable import Import

@Suite("Import / tags")
struct TagListTests {
    @Test("tags are read from lists as Python, JSON and people write them")
    func lists() {
        #expect(TagList.read(#"['one', "it's", 'a \'b\'']"#) == ["one", "it's", "a 'b'"])
        #expect(TagList.read("[one, two's ,  'three']") == ["one", "two's", "three"])
        #expect(TagList.read(" one, two ,,") == ["one", "two"])
        #expect(TagList.read("one|two", separatedBy: "|") == ["one", "two"])
    }

    @Test("a tag of a million quotation marks takes no time that users notice", .timeLimit(.minutes(1)))
    func long() {
        let tag = "a" + String(repeating: "'", count: 1_000_000)
        #expect(TagList.read("[ \(tag)]") == [tag])
    }
}
