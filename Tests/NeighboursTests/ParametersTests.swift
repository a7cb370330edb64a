import HTTP
import JSON
import Testing

@testable import Neighbours

@Suite("Neighbours / parameters")
struct ParametersTests {
    private func parameters(
        _ query: String = "", body: String = "", type: String = "application/json"
    ) throws(NeighbourError) -> Parameters {
        try Parameters(
            Request(
                method: "POST", path: "/", query: query, headers: ["content-type": type], body: Array(body.utf8)))
    }

    @Test("a form and a JSON object have the same values")
    func bodies() throws {
        let form = try parameters(body: "a=1+%26&b[]=x&b[]=y&c", type: "application/x-www-form-urlencoded")
        let json = try parameters(body: #"{"a":"1 &","b":["x","y"],"c":""}"#)
        for parameters in [form, json] {
            #expect(try parameters.text("a") == "1 &" && parameters.list("b") == ["x", "y"])
            #expect(try parameters.text("c") == "" && parameters.nonEmpty("c") == nil && !parameters.has("d"))
        }
    }

    @Test("a list is an array, a field several times, or a text with commas")
    func repeatedFields() throws {
        let type = "application/x-www-form-urlencoded"
        #expect(try parameters(body: "a=1&a=2", type: type).list("a") == ["1", "2"])
        #expect(try parameters(body: "a[]=1&a[]=2", type: type).list("a") == ["1", "2"])
        #expect(try parameters("a=1,%202").list("a") == ["1", "2"])
        #expect(try parameters("a=1&a=2", body: "a=3", type: type).list("a") == ["3"])
        #expect(try parameters("a=1&a=2", body: #"{"a":["3"]}"#).list("a") == ["3"])
        #expect(try parameters("a=1&a=2").text("a") == "2")
    }

    @Test("the body wins over the query, and null is as if it were missing")
    func precedence() throws {
        let parameters = try parameters("a=1&b=2", body: #"{"a":3,"b":null}"#)
        #expect(try parameters.text("a") == "3" && parameters.text("b") == nil)
    }

    @Test("a flag is a number, a word or a boolean")
    func flags() throws {
        let parameters = try parameters(body: #"{"a":1,"b":"0","c":true,"d":"false","e":"x","f":[]}"#)
        #expect(try parameters.flag("a") == true && parameters.flag("b") == false && parameters.flag("none") == nil)
        #expect(try parameters.flag("c") == true && parameters.flag("d") == false)
        for name in ["e", "f"] { #expect(throws: NeighbourError.self) { try parameters.flag(name) } }
    }

    @Test(
        "a number outside its range counts as the end of the range",
        arguments: [("5", 5), ("99", 10), ("99999999999999999999999999", 10), ("-1", 1), ("-99999999999999999999", 1)])
    func numbers(text: String, expected: Int) throws {
        #expect(try parameters("n=" + text).number("n", in: 1...10) == expected)
    }

    @Test("other texts are no numbers", arguments: ["x", "1.5", "1e3", "-", "+1", "0x1"])
    func noNumbers(text: String) throws {
        let parameters = try parameters(body: JSONText.object([("n", JSONText.string(text))]))
        #expect(throws: NeighbourError.badParameter("n", "a number")) { try parameters.number("n", in: 1...10) }
    }

    @Test("a list is an array, or a text with commas")
    func lists() throws {
        #expect(try parameters("t=a,+b+,,c").list("t") == ["a", "b", "c"])
        #expect(try parameters(body: #"{"t":[" a ",""]}"#).list("t") == ["a"])
        #expect(throws: NeighbourError.self) { try self.parameters(body: #"{"t":[1]}"#).list("t") }
    }

    @Test(
        "what is neither is refused",
        arguments: [("[]", "application/json"), ("{", ""), ("a=%G1", "application/x-www-form-urlencoded")])
    func refused(body: String, type: String) {
        #expect(throws: NeighbourError.badBody) { try parameters(body: body, type: type) }
    }
}
