import REST
import Testing

@Suite("REST / catalog")
struct CatalogTests {
    private let json = """
        {"tables":[{"name":"links","columns":[{"name":"id","type":"uuid","isNullable":false}],"primaryKey":["id"],\
        "uniqueKeys":[["id"]],"foreignKeys":[],"views":["links"],"isCounted":false}],"functions":[\
        {"name":"f","arguments":[],"type":"void","table":null,"returnsSet":false,"isVolatile":true},\
        {"name":"g","arguments":[{"name":"a","type":"text[]","isRequired":true}],"type":"links","table":"links",\
        "returnsSet":true,"isVolatile":false},\
        {"name":"h","arguments":[],"type":"record","table":null,\
        "columns":[{"name":"n","type":"int8","isNullable":true}],"returnsSet":true,"isVolatile":false}]}
        """

    @Test("the result of the query becomes tables and functions")
    func decoded() throws {
        let catalog = try Catalog(json: json)
        #expect(catalog.tables["links"]?.column("id")?.type == "uuid")
        #expect(catalog.tables["links"]?.views == ["links"])
        #expect(catalog.tables["links"]?.isCounted == false)
        #expect(catalog.functions["f"]?.result == .nothing)
        #expect(catalog.functions["g"]?.result == .row(table: "links"))
        #expect(catalog.functions["h"]?.result == .record([.init(name: "n", type: "int8", isNullable: true)]))
        #expect(catalog.functions["g"]?.arguments.first?.isRequired == true)
    }

    @Test("an unknown table is refused")
    func unknown() {
        #expect(throws: QueryError.unknownTable("x")) { try Catalog(tables: []).table("x") }
    }
}
