import Testing

@testable import Charsets

@Suite("Charsets / encoding labels")
struct EncodingLabelsTests {
    @Test("every encoding's own name is one of its labels")
    func names() {
        for name in Set(EncodingLabels.names.values) where name != "replacement" {
            #expect(EncodingLabels.names[name] == name)
        }
    }

    @Test("converters and corrections belong to known encodings")
    func known() {
        for name in Array(EncodingLabels.converters.keys) + Array(EncodingLabels.corrections.keys) {
            #expect(EncodingLabels.names[name] == name)
        }
    }

    @Test("labels are in lower case")
    func lowerCase() { #expect(EncodingLabels.names.keys.allSatisfy { $0 == $0.lowercased() }) }
}
