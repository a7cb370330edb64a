import Testing

@testable import Dates

@Suite("Dates / tokens")
struct DateTokensTests {
    @Test("a text becomes numbers, words and symbols, in any script")
    func tokens() {
        let tokens = DateTokens("06. Mai ٢٠٢٤")
        #expect(tokens.tokens == [.number(6, digits: 2), .symbol("."), .word("mai"), .number(2_024, digits: 4)])
        #expect(tokens.isAdjacent == [false, true, false, false])
    }

    @Test("an index outside the text yields nothing")
    func outside() {
        let tokens = DateTokens("6")
        #expect(tokens.number(-1) == nil && tokens.word(1) == nil && tokens.symbol(1) == nil)
        #expect(tokens.digits(1) == 0 && !tokens.isAdjacent(1))
    }

    @Test("a long number does not overflow")
    func long() { #expect(DateTokens(String(repeating: "9", count: 100)).digits(0) == 100) }
}
