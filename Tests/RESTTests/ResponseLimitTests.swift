import HTTP
import Postgres
import REST
import Testing

@Suite("REST / response limit")
struct ResponseLimitTests {
    @Test("sizes are multiplied so that the limit is the end of the range of bigint", arguments: [1_024, 20_971_520])
    func weight(bytes: Int) throws {
        var plan = try plan("GET")
        plan.responseLimit = ResponseLimit(bytes: bytes)
        let text = try plan.sql().text
        let weight = try #require(text.firstMatch(of: /_row\) \+ 1\) \* (\d+)\) >= 0/).flatMap { Int($0.1) })
        // A response of n rows has one byte more than the sum of their lengths and n.
        #expect(!(bytes - 1).multipliedReportingOverflow(by: weight).overflow)
        #expect(bytes.multipliedReportingOverflow(by: weight).overflow)
    }

    @Test("only the arithmetic of the limit counts as its error, whatever the language of the message")
    func recognized() {
        func isExceeded(_ sqlState: String, _ function: String?) -> Bool {
            ResponseLimit.isExceeded(.init(sqlState: sqlState, message: "bigint liegt außerhalb", reportedBy: function))
        }
        #expect(isExceeded("22003", "int8pl") && isExceeded("22003", "int48mul"))
        #expect(!isExceeded("22003", "int84") && !isExceeded("22003", nil) && !isExceeded("54000", "int8pl"))
    }

    @Test(
        "every format of a response is limited",
        arguments: [
            ("application/json", "string_agg(_row, ',')"), ("text/csv", "string_agg(_row, '')"),
            ("application/vnd.pgrst.object+json", #"min(_row collate "C")"#),
        ])
    func formats(accept: String, aggregate: String) throws {
        let text = try plan("GET", headers: ["accept": accept]).sql().text
        let end = try #require(text.firstRange(of: ">= 0 then \(aggregate) end"))
        #expect(text[..<end.lowerBound].contains("octet_length(_row)"))
    }

    @Test("a response without a body makes no JSON")
    func bodyless() throws {
        for text in [
            try plan("HEAD").sql().text, try plan("POST", body: #"{"title":"a"}"#).sql().text,
            try plan("POST", of: .function("touch")).sql().text,
        ] { #expect(text.contains("select null::text, ") && !text.contains("row_to_json")) }
    }

    @Test("the error says how to ask for less")
    func error() {
        let error = QueryError.responseTooLarge(limit: 5)
        #expect(error.status == 413 && error.message == "The response exceeds 5 bytes")
        #expect(error.hint?.contains("limit and offset") == true)
    }
}
