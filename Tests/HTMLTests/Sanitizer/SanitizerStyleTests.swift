import Testing

@testable import HTML

@Suite("HTML / sanitizer style")
struct SanitizerStyleTests {
    @Test("allowed properties are written in canonical spelling and order")
    func canonical() {
        #expect(SanitizerStyle.cleaned("TEXT-ALIGN : Center;Color:red", of: .p) == "text-align: center")
        #expect(
            SanitizerStyle.cleaned("white-space:pre;font-variant-caps:small-caps", of: .p)
                == "font-variant: small-caps; white-space: pre")
    }

    @Test("list styles are allowed on lists and their items only")
    func lists() {
        #expect(SanitizerStyle.cleaned("list-style: square inside", of: .ul) == "list-style-type: square")
        #expect(SanitizerStyle.cleaned("list-style: square inside", of: .p) == nil)
    }

    @Test("a style without allowed declarations, or over the limit, is removed")
    func removed() {
        #expect(SanitizerStyle.cleaned("", of: .p) == nil)
        #expect(SanitizerStyle.cleaned("position: fixed", of: .p) == nil)
        let long = "text-align:left;" + String(repeating: " ", count: SanitizerStyle.maximumBytes)
        #expect(SanitizerStyle.cleaned(long, of: .p) == nil)
    }
}
