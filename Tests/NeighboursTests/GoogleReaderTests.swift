import HTTP
import JSON
import Testing

@testable import Neighbours

@Suite("Neighbours / Google Reader")
struct GoogleReaderTests {
    @Test(
        "a stream is named by its id, whatever the user in it is called",
        arguments: [
            ("user/-/state/com.google/reading-list", .all), ("user/12/state/com.google/starred", .starred),
            ("user/-/state/com.google/read", .read), ("user/-/state/com.google/kept-unread", .unread),
            ("feed/read", .list("read")), ("feed/archive", .list("archive")),
            ("user/-/label/a/b", .label("a/b")), ("feed/x", nil), ("feed/http://a.test/", nil), ("", nil),
            ("user/-/state/com.google/like", nil), ("user/-/state/other/read", nil), ("user/-", nil),
        ] as [(String, GoogleReaderStream?)])
    func streams(id: String, stream: GoogleReaderStream?) {
        #expect(GoogleReaderStream(id) == stream)
    }

    @Test("parameters are those of the query and of a form in the body")
    func form() throws {
        let request = Request(
            method: "POST", path: "/", query: "a=1&i=%31",
            body: Array("i=tag:google.com,2005:reader/item/0f&b=x+y".utf8))
        let form = try GoogleReaderForm(request)
        #expect(form["a"] == "1" && form["b"] == "x y" && form["c"] == nil)
        #expect(try form.numbers(maximum: 2) == [1, 15])
        #expect(throws: GoogleReaderError.badParameter("i")) { try form.numbers(maximum: 1) }
        #expect(try form.number("a", in: 2...5, default: 3) == 2)
        #expect(throws: GoogleReaderError.badParameter("b")) { try form.number("b", in: 0...1, default: 0) }
    }

    @Test(
        "an id is decimal, or hexadecimal behind the prefix, with a zero in front and with letters",
        arguments: [
            ("12", 12), ("02bd31be9f10c439", 0x02bd_31be_9f10_c439), ("a1", 0xa1), ("0", 0),
            ("tag:google.com,2005:reader/item/0000000000000012", 0x12), ("x", nil), ("", nil),
            ("99999999999999999999", nil),
        ] as [(String, Int?)])
    func ids(id: String, number: Int?) throws {
        let form = try GoogleReaderForm(Request(method: "GET", path: "/", query: "i=\(id)"))
        #expect((try? form.numbers(maximum: 1)) == number.map { [$0] })
    }

    @Test("states that other services have, and empty ids, mean nothing in a change")
    func meaningless() {
        for id in ["", "user/-/state/com.google/like", "user/1/state/com.google/tracking-kept-unread"] {
            #expect(GoogleReaderStream.isWithoutMeaning(id))
        }
        for id in ["x", "feed/x", "user/-/state/com.google/read", "user/-/label/a"] {
            #expect(!GoogleReaderStream.isWithoutMeaning(id))
        }
    }

    @Test("a broken escape is a bad request", arguments: ["a=%", "a=%0", "%zz=1", "a=%00", "a=%ff"])
    func broken(query: String) {
        #expect(throws: GoogleReaderError.self) {
            try GoogleReaderForm(Request(method: "GET", path: "/", query: query))
        }
    }

    @Test(
        "times are written in RFC 3339",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_772_366_400, "2026-03-01T12:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"), (-5, "1970-01-01T00:00:00Z"),
        ])
    func times(seconds: Int, text: String) {
        #expect(RFC3339.text(seconds) == text)
    }

    @Test("an item without an address has no link in Atom")
    func addresses() {
        func atom(_ canonical: String) -> String {
            let items = [JSON(parsing: Array(#"{"title":"T","canonical":\#(canonical)}"#.utf8)) ?? .null]
            let feed = ReaderAtom(title: "S", address: "http://a.test/", items: items)
            return String(decoding: feed.bytes, as: UTF8.self)
        }
        #expect(atom(#"[{"href":"http://b.test/"}]"#).contains(#"href="http://b.test/""#))
        #expect(atom("[]").split(separator: "<link").count == 2)
    }
}
