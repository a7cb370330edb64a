import Testing

@testable import Readability

@Suite("Readability / inline styles")
struct InlineStyleTests {
    @Test(
        "display: none takes no room; the last declaration counts",
        arguments: [
            ("color:red; DISPLAY : none !important", true), ("display:none", true),
            ("display:none; display:block", false), ("display:nonesuch", false),
            ("visibility:hidden", false), ("", false),
        ])
    func display(style: String, takesNoRoom: Bool) { #expect(InlineStyle(style).takesNoRoom == takesNoRoom) }

    @Test("visibility: hidden makes invisible")
    func visibility() {
        #expect(InlineStyle("visibility: Hidden").makesInvisible)
        #expect(!InlineStyle("visibility: visible").makesInvisible)
    }
}
