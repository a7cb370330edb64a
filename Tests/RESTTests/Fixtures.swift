import HTTP
import REST

/// A small catalog: what the plans of these tests are made over.
let links = Catalog.Table(
    name: "links",
    columns: [
        .init(name: "id", type: "uuid", isNullable: false), .init(name: "user_id", type: "uuid", isNullable: false),
        .init(name: "raw_url", type: "text", isNullable: false), .init(name: "title", type: "text", isNullable: true),
        .init(name: "is_starred", type: "bool", isNullable: false),
        .init(name: "updated_at", type: "timestamptz", isNullable: false),
    ],
    primaryKey: ["id"], uniqueKeys: [["id"], ["user_id", "raw_url"]])

let catalog = Catalog(tables: [links])

/// The plan of a request on `links`.
func plan(
    _ method: String, _ query: String = "", body: String = "", headers: Headers = [:]
) throws(QueryError) -> Plan {
    let request = Request(
        method: method, path: "/rest/v1/links", query: query, headers: headers, body: Array(body.utf8))
    return try Plan(request, table: "links", body: try JSONBody(of: request)?.outline, catalog: catalog)
}
