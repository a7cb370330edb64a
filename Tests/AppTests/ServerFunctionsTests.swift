import Testing

@testable import App

@Suite("App / server functions")
struct ServerFunctionsTests {
    @Test("http and https URLs are accepted as sent", arguments: ["https://a.test/", " HTTP://a.test"])
    func accepted(url: String) throws {
        #expect(try ServerFunctions.checkedURL(Array("{\"url\":\"\(url)\"}".utf8)) == url)
    }

    @Test(
        "other arguments are refused",
        arguments: [
            "", "[]", "{}", #"{"url":5}"#, #"{"url":"ftp://a.test/"}"#, #"{"url":"a.test"}"#,
            "{\"url\":\"http://a.test/\(String(repeating: "x", count: 65_536))\"}",
        ])
    func refused(body: String) {
        #expect(throws: ServiceError.self) { try ServerFunctions.checkedURL(Array(body.utf8)) }
    }
}
