import Testing

@testable import HTML

@Suite("HTML / ASCII")
struct ASCIITests {
    @Test("only ASCII capitals change to lower case, and only ASCII letters are letters")
    func letters() {
        for byte in UInt8.min...UInt8.max {
            let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            #expect(lowercase(byte) == (isCapital ? byte + 32 : byte))
            #expect(isASCIILetter(byte) == (isCapital || byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")))
        }
    }
}
