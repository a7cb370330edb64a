import Testing

@testable import Charsets

@Suite("Charsets / prescan")
struct PrescanTests {
    private func declared(_ page: String) -> String? { Prescan.declaration(in: Array(page.utf8)[...])?.name }

    @Test(
        "declarations are found in every notation",
        arguments: [
            "<meta charset=koi8-r>", "<META CHARSET=\"KOI8-R\">", "<meta charset = 'koi8-r' />",
            "<meta/charset=koi8-r>",
            "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
            "<meta content=\"text/html;charset=koi8-r\" http-equiv=\"content-type\">",
            "<meta http-equiv='content-type' content='charset = \"koi8-r\"'>",
            "<!doctype html><!-- <meta charset=utf-8> --><html a='<meta charset=utf-8>'><meta charset=koi8-r>",
            "<!--><meta charset=koi8-r>", "<!---><meta charset=koi8-r>", "<script>'<meta charset=koi8-r>'</script>",
            "<?x <meta charset=utf-8> ?><meta charset=koi8-r>", "</p <meta charset=utf-8> ><meta charset=koi8-r>",
            "<meta charset=bogus><meta charset=koi8-r>", "<meta charset=koi8-r charset=utf-8>",
            "<?xml version='1.0' encoding='koi8-r'?>",
            "<?xml version=\"1.0\" encoding = \"KOI8-R\" ?><meta charset=utf-8>",
            "<meta name=x content='charset=utf-8'><meta charset=koi8-r>",
        ])
    func found(page: String) {
        #expect(declared(page) == "koi8-r")
    }

    @Test(
        "text that only resembles a declaration is ignored",
        arguments: [
            "", "<meta", "<meta charset", "<meta charset=", "<meta charset=\"koi8-r", "<metacharset=koi8-r>",
            "charset=koi8-r",
            "<meta content='text/html; charset=koi8-r'>", "<!-- <meta charset=koi8-r>",
            "<meta name=charset content=koi8-r>",
            "<meta http-equiv=content-type content='charset=\"koi8-r'>", "<p title='<meta charset=koi8-r>'>", "<", "<!",
            "<!--",
            " <?xml version='1.0' encoding='koi8-r'?>", "<meta charset=nonsense>",
        ])
    func notFound(page: String) {
        #expect(declared(page) == nil)
    }

    @Test("a declaration of UTF-16 in ASCII is not followed", arguments: ["utf-16", "utf-16be", "ucs-2"])
    func sixteen(label: String) {
        #expect(declared("<meta charset=\(label)>") == "utf-8")
        #expect(declared("<meta charset=x-user-defined>") == "windows-1252")
    }

    @Test("a late declaration counts, but not beyond the first 64 KB")
    func late() {
        let filler = "<p>" + String(repeating: "x", count: 5_000) + "</p>"
        #expect(declared(filler + "<meta charset=koi8-r>") == "koi8-r")
        #expect(declared(filler + "<script>'<meta charset=utf-8>'</script><meta charset=koi8-r>") == "koi8-r")
        #expect(declared(String(repeating: filler, count: 14) + "<meta charset=koi8-r>") == nil)
    }

    @Test(
        "a search in hostile markup is fast",
        arguments: ["<", "<a ", "<a =", "<!--", "<!-->", "<meta ", "</script", "<script>", "<a '"])
    func hostile(piece: String) {
        let start = ContinuousClock.now
        _ = declared(String(repeating: piece, count: 20_000))
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
