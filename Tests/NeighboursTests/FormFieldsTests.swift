import Testing

@testable import Neighbours

@Suite("Neighbours / fields of a form")
struct FormFieldsTests {
    private func fields(_ body: String, boundary: String = "b", maximum: Int = 10) -> [String]? {
        FormFields(multipart: Array(body.utf8), boundary: boundary, maximum: maximum)?.pairs.map {
            "\($0.name)=\($0.value)"
        }
    }

    private func part(_ name: String, _ value: String) -> String {
        "--b\r\nContent-Disposition: form-data; name=\(name)\r\n\r\n\(value)\r\n"
    }

    @Test("multipart has the fields in their order, with line breaks, empty values and text before and after them")
    func multipart() {
        #expect(fields(part("\"a\"", "1\r\n--x") + part("c", "") + "--b--\r\nafter") == ["a=1\r\n--x", "c="])
        #expect(fields("before\r\n" + part("\"ä ö\"", "ü") + "--b--") == ["ä ö=ü"])
        let header = "Content-Type: text/plain\r\ncontent-disposition: FORM-DATA; name=\"a\"; filename=\"x.txt\""
        #expect(fields("--b \r\n\(header)\r\n\r\n1\r\n--b--") == ["a=1"])
        let names = #"form-data; filename="x; name=y"; name="a;\"b""#
        #expect(fields("--b\r\nContent-Disposition: \(names)\r\n\r\n1\r\n--b--") == [#"a;"b=1"#])
        #expect(fields("--b--") == [])
    }

    @Test(
        "a part without an end or a name, and text that cannot be stored, are refused",
        arguments: [
            "", "--b", "--b\r\n", "--b\r\n\r\n1\r\n--b--", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1",
            "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\0\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b",
        ])
    func broken(body: String) {
        #expect(fields(body) == nil)
    }

    @Test("no form has more fields than the maximum")
    func maximum() {
        let body = part("a", "1") + part("a", "2") + "--b--"
        #expect(fields(body, maximum: 2)?.count == 2 && fields(body, maximum: 1) == nil)
        #expect(FormFields(urlEncoded: "a=1&a=2".utf8, maximum: 2)?.pairs.count == 2)
        #expect(FormFields(urlEncoded: "a=1&a=2".utf8, maximum: 1) == nil)
    }

    @Test(
        "the boundary stands in the type",
        arguments: [
            ("multipart/form-data; boundary=b", "b"), ("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"", "a b"),
            ("multipart/form-data", nil), ("application/json; boundary=b", nil),
            ("multipart/form-data; boundary=\"\"", nil), (nil, nil),
        ] as [(String?, String?)])
    func boundaries(type: String?, boundary: String?) {
        #expect(FormFields.boundary(of: type) == boundary)
    }
}
