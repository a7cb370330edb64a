import Postgres
import Testing

@Suite("Postgres / SQL values")
struct SQLTests {
    @Test("a value becomes a bind, never text")
    func binds() {
        let evil = "'; drop table links; --"
        let sql: SQL = "select * from \(name: "links") where a = \(evil) and b = \(5) and c = \(nil as String?)"
        #expect(sql.text == #"select * from "links" where a = $1 and b = $2 and c = $3"#)
        #expect(sql.binds == [evil, "5", nil])
    }

    @Test(
        "a name becomes a quoted identifier",
        arguments: [
            ("a", #""a""#), (#"a"; drop"#, #""a""; drop""#), ("", #""""#), ("a\0b", #""ab""#),
        ])
    func names(name: String, quoted: String) { #expect(SQL.name(name).text == quoted) }

    @Test("a statement inside another keeps its binds in order")
    func splices() {
        let inner: SQL = "b = \("x")"
        let sql: SQL = "a = \(1) and \(inner) or c = \(2)"
        #expect(sql.text == "a = $1 and b = $2 or c = $3")
        #expect(sql.binds == ["1", "x", "2"])
        #expect([inner, inner].joined(separator: " or ").text == "b = $1 or b = $2")
    }

    @Test("each element of an array is quoted")
    func arrays() {
        let sql: SQL = "x = any(\(array: ["a", "b,c", #"d"e\"#, "NULL", ""]))"
        #expect(sql.binds == [#"{"a","b,c","d\"e\\","NULL",""}"#])
    }

    @Test("a description hides the binds")
    func hidden() {
        let sql: SQL = "password = \("secret")"
        #expect("\(sql)" == "password = ****")
    }

    @Test("a deferred bind keeps its position, and setting it leaves the other binds unchanged")
    func deferred() {
        let sql: SQL = "select \(1) " + .deferred + " \(2)"
        #expect(sql.text == "select $1 $2 $3")
        #expect(sql.binds == ["1", nil, "2"])
        #expect(sql.filled(with: "x").binds == ["1", "x", "2"])
        #expect(("select \(1)" as SQL).filled(with: "x").binds == ["1"])
    }
}
