import Testing

@testable import Auth

@Suite("Auth / pairing codes")
struct PairingCodeTests {
    @Test("a code has two groups of five characters that are not mistaken for each other")
    func shape() {
        for _ in 1...50 {
            #expect(PairingCode().text.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}/) != nil)
        }
    }

    @Test("a code can be typed in any case, without the hyphen, and with look-alikes")
    func typed() {
        let code = PairingCode("ABCDE-01234")
        #expect(code?.text == "ABCDE-01234")
        for text in ["abcde01234", " abcde 01234 ", "AbCdE-oi234", "ABCDE-OL234"] { #expect(PairingCode(text) == code) }
    }

    @Test("two codes differ")
    func random() { #expect(PairingCode() != PairingCode()) }

    @Test(
        "text of another shape is no code",
        arguments: ["", "ABCDE", "ABCDE-0123U", "ABCDE-012345", "ABCDE-0123é", String(repeating: " ", count: 100)])
    func refused(text: String) { #expect(PairingCode(text) == nil) }
}
