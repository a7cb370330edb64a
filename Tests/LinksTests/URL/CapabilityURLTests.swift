import Links
import Testing

@Suite("Links / capability URLs")
struct CapabilityURLTests {
    @Test(
        "capability URLs are recognized by their form",
        arguments: [
            "https://me:word@site.test/", "https://me@site.test/", "https://site.test/?access_token=1",
            "https://site.test/a?x=1&Sig=ab",
            "https://site.test/a#id_token=abc", "https://site.test/?X-Amz-Signature=1",
            "https://site.test/?a=1;sessionid=2",
            "https://site.test/d/1A2b3C4d5E6f7G8h9I0jKlMn/edit", "https://site.test/s/aGVsbG8gd29ybGQgYWdhaW4/x",
            "https://site.test/x?doc=Zm9vYmFyYmF6cXV4cXV1", "https://site.test/r/1b4e28ba-2fa1-11d2-883f-0016d3cca427",
            "https://site.test/?v=0123456789abcdef0123456789abcdef", "https://site.test/invite?code=7",
            "https://site.test/v/kJ8-xT2_Qm4-pL9_Rw7-zN3_Bv6",
        ])
    func likely(url: String) { #expect(CapabilityURL.isLikely(url)) }

    @Test(
        "article URLs are not capability URLs",
        arguments: [
            "https://site.test/", "https://site.test/2026/11/22/how-the-lectern-was-built-and-why-it-stands",
            "http://site.test/?p=1234",
            "https://site.test/watch?v=dQw4w9WgXcQ", "https://site.test/story/20261122094500",
            "https://site.test/a?utm_source=feed&page=2",
            "https://site.test/wiki/Donaudampfschifffahrtsgesellschaftskapitaen",
            "https://site.test/news/article-45678901.html#comments",
            "no address", "",
        ])
    func unlikely(url: String) { #expect(!CapabilityURL.isLikely(url)) }
}
