import Testing

@testable import Clippings

@Suite("Clippings / tables of Lua")
struct LuaTableTests {
    @Test("texts, numbers, booleans and tables are read")
    func values() throws {
        let table = try #require(
            LuaTable(parsing: #"return { a = 'x\ty\065', ["b"] = -1.5e3, c = { true, nil; false }, "d", } -- end"#))
        #expect(table["a"] == .text("x\tyA") && table["b"] == .number(-1_500))
        #expect(table["c"]?.values == [.bool(true), .none, .bool(false)] && table["d"] == nil)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "return", "return {a = }", "return {a = f()}", #"return {"\"#, "{}", "return {1 2}", "return {1..2}",
        ])
    func refused(text: String) { #expect(LuaTable(parsing: text) == nil) }
}
