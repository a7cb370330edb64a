@testable import Auth
import Testing

@Suite("Auth / e-mail addresses")
struct EmailAddressTests {
    @Test(
        "usual addresses are accepted",
        arguments: ["a@b", "Ann.O'Neil+x@mail.example.org", "ann@münchen.example", "ann@xn--a.example"])
    func accepted(text: String) { #expect(EmailAddress.isPlausible(text)) }

    @Test(
        "typing errors are refused",
        arguments: [
            "", "a", "@b", "a@", "a@b@c", "a b@c", "a@b c", "a@-b", "a@b-", "a@b..c", "a@.b", "a,b@c", "<a@b>",
            "a\u{0}@b", "a@b_c",
            String(repeating: "a", count: 65) + "@b", "a@" + String(repeating: "b.", count: 130) + "c",
        ])
    func refused(text: String) { #expect(!EmailAddress.isPlausible(text)) }
}
