import Testing

@testable import Readability

@Suite("Readability / ASCII")
struct ASCIITests {
    @Test("only ASCII letters are lowercased")
    func lowercase() { #expect("AZ[@a0É".utf8.map(lowercased).elementsEqual("az[@a0É".utf8)) }

    @Test("letters, digits and the underscore are word characters")
    func wordCharacters() {
        #expect("azAZ09_".utf8.allSatisfy(isWordCharacter))
        #expect(!"- .é@[`{/:".utf8.contains(where: isWordCharacter))
    }
}
