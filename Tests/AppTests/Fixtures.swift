import HTTP
import REST

@testable import App

/// A table `links` and functions, for the plans of these tests.
let catalog = Catalog(
    tables: [
        Catalog.Table(
            name: "links",
            columns: [
                .init(name: "id", type: "uuid", isNullable: false),
                .init(name: "raw_url", type: "text", isNullable: false),
                .init(name: "title", type: "text", isNullable: true),
                .init(name: "state", type: "text", isNullable: false),
            ],
            primaryKey: ["id"], uniqueKeys: [["id"], ["raw_url"]]),
        Catalog.Table(
            name: "tags", columns: [.init(name: "id", type: "uuid", isNullable: false)], primaryKey: ["id"],
            uniqueKeys: [["id"]]),
        Catalog.Table(
            name: "notes", columns: [.init(name: "link_id", type: "uuid", isNullable: false)], primaryKey: ["link_id"],
            uniqueKeys: [["link_id"]],
            foreignKeys: [.init(name: "notes_link", columns: ["link_id"], target: "links", targetColumns: ["id"])]),
        Catalog.Table(
            name: "rules",
            columns: [
                .init(name: "id", type: "uuid", isNullable: false),
                .init(name: "query", type: "text", isNullable: false),
            ],
            primaryKey: ["id"], uniqueKeys: [["id"]]),
        Catalog.Table(
            name: "jobs", columns: [.init(name: "id", type: "int8", isNullable: false)], primaryKey: [], uniqueKeys: [],
            isCounted: false),
    ],
    functions: [
        .init(name: "save_page", arguments: [], result: .row(table: "links"), returnsSet: true),
        .init(name: "change_links", arguments: [], result: .value("jsonb"), returnsSet: false),
        .init(name: "count_links", arguments: [], result: .value("int4"), returnsSet: false, isVolatile: false),
        .init(
            name: "domains", arguments: [.init(name: "query", type: "text", isRequired: false)],
            result: .value("jsonb"), returnsSet: false, isVolatile: false),
    ])

func request(
    _ method: String, _ query: String = "", body: String = "", headers: Headers = [:]
) -> Request {
    Request(method: method, path: "/rest/v1/links", query: query, headers: headers, body: Array(body.utf8))
}

/// The plan of a request.
func plan(
    _ method: String, _ query: String = "", body: String = "", headers: Headers = [:],
    of resource: Resource = .table("links")
) throws -> Plan {
    let request = request(method, query, body: body, headers: headers)
    return try Plan(request, resource, body: try JSONBody(of: request, for: resource)?.outline, catalog: catalog)
}
