import Testing

@testable import Links

@Suite("Links / byte trie")
struct ByteTrieTests {
    @Test("a value is found by all bytes of its key and by no others", arguments: ["utm", "utm_", "ref", "r", "é", ""])
    func found(text: String) {
        var tree = ByteTrie<Int>()
        let texts = ["utm", "utm_", "ref", "r", "é", ""]
        for (number, text) in texts.enumerated() { tree[text.utf8] = number }
        #expect(tree[text.utf8] == texts.firstIndex(of: text))
        #expect(tree[(text + "x").utf8] == nil)
    }

    @Test("a prefix of a key has a node but no value")
    func beginning() throws {
        var tree = ByteTrie<Int>()
        #expect(tree["utm".utf8] == nil)
        tree["utm".utf8] = 1
        #expect(tree["ut".utf8] == nil)
        let first = try #require(tree.child(of: tree.root, UInt8(ascii: "u")))
        #expect(
            first.value == nil && tree.child(of: first, UInt8(ascii: "t")) != nil
                && tree.child(of: first, UInt8(ascii: "u")) == nil)
    }

    @Test("inserting a key again replaces its value")
    func again() {
        var tree = ByteTrie<Int>()
        tree["a".utf8] = 1
        tree["a".utf8] = 2
        #expect(tree["a".utf8] == 2)
    }
}
