import Testing

@testable import HTML

@Suite("HTML / name table")
struct NameTableTests {
    @Test("a known element name has the raw value of its tag as code")
    func known() {
        let table = NameTable.elements
        for tag in HTML.Tag.allCases { #expect(table.knownCode(of: tag.spelling) == tag.rawValue) }
        #expect(table.knownCode(of: "x-own") == nil)
    }

    @Test("new names get the next codes and keep them as the table grows")
    func added() {
        var table = NameTable.elements
        let first = table.count
        for number in 0..<2_000 { #expect(Int(table.code(of: "x-\(number)")) == first + number) }
        for number in 0..<2_000 { #expect(Int(table.code(of: "x-\(number)")) == first + number) }
        #expect(table.spelling(UInt32(first + 1_999)) == "x-1999")
    }

    @Test("ASCII capitals match lower case only if folding is on")
    func folding() {
        var table = NameTable.elements
        let text = Array("<DIV>".utf8)
        #expect(table.code(of: text, from: 1, to: 4, isFolding: true) == HTML.Tag.div.rawValue)
        #expect(table.code(of: text, from: 1, to: 4) != HTML.Tag.div.rawValue)
    }
}
