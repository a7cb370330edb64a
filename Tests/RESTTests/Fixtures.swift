import HTTP
import REST

/// A small catalog for these tests.
let links = Catalog.Table(
    name: "links",
    columns: [
        .init(name: "id", type: "uuid", isNullable: false), .init(name: "user_id", type: "uuid", isNullable: false),
        .init(name: "raw_url", type: "text", isNullable: false), .init(name: "title", type: "text", isNullable: true),
        .init(name: "is_starred", type: "bool", isNullable: false),
        .init(name: "updated_at", type: "timestamptz", isNullable: false),
    ],
    primaryKey: ["id"], uniqueKeys: [["id"], ["user_id", "raw_url"]])

let tags = Catalog.Table(
    name: "tags",
    columns: [
        .init(name: "id", type: "uuid", isNullable: false, defaultExpression: "gen_random_uuid()"),
        .init(name: "user_id", type: "uuid", isNullable: false), .init(name: "name", type: "text", isNullable: false),
    ],
    primaryKey: ["id"], uniqueKeys: [["id"], ["id", "user_id"]])

let linkTags = Catalog.Table(
    name: "link_tags",
    columns: ["link_id", "tag_id", "user_id"].map { .init(name: $0, type: "uuid", isNullable: false) },
    primaryKey: ["link_id", "tag_id"], uniqueKeys: [["link_id", "tag_id"]],
    foreignKeys: [
        .init(
            name: "link_tags_link", columns: ["link_id", "user_id"], target: "links", targetColumns: ["id", "user_id"]),
        .init(
            name: "link_tags_tag", columns: ["tag_id", "user_id"], target: "tags", targetColumns: ["id", "user_id"]),
    ])

let articles = Catalog.Table(
    name: "articles",
    columns: [
        .init(name: "link_id", type: "uuid", isNullable: false),
        .init(name: "user_id", type: "uuid", isNullable: false),
        .init(name: "title", type: "text", isNullable: true), .init(name: "facts", type: "jsonb", isNullable: true),
    ],
    primaryKey: ["link_id"], uniqueKeys: [["link_id"]],
    foreignKeys: [
        .init(
            name: "articles_link", columns: ["link_id", "user_id"], target: "links", targetColumns: ["id", "user_id"])
    ])

/// A table with two relationships to `links`.
let merges = Catalog.Table(
    name: "merges",
    columns: ["id", "from_link", "into_link"].map { .init(name: $0, type: "uuid", isNullable: false) },
    primaryKey: ["id"], uniqueKeys: [["id"]],
    foreignKeys: ["from", "into"].map {
        .init(name: "merges_\($0)", columns: ["\($0)_link"], target: "links", targetColumns: ["id"])
    })

let mergesCatalog = Catalog(tables: [links, merges])

/// A table with two relationships to itself: to the parent and to the children.
let collections = Catalog.Table(
    name: "collections",
    columns: [
        .init(name: "id", type: "uuid", isNullable: false), .init(name: "parent_id", type: "uuid", isNullable: true),
    ],
    primaryKey: ["id"], uniqueKeys: [["id"]],
    foreignKeys: [
        .init(name: "collections_parent", columns: ["parent_id"], target: "collections", targetColumns: ["id"])
    ])

let catalog = Catalog(
    tables: [links, tags, linkTags, articles, collections],
    functions: [
        .init(
            name: "save_page",
            arguments: [
                .init(name: "url", type: "text", isRequired: true),
                .init(name: "tags", type: "text[]", isRequired: false),
            ], result: .row(table: "links"), returnsSet: true),
        .init(
            name: "add", arguments: [.init(name: "a", type: "integer", isRequired: true)], result: .value("int4"),
            returnsSet: false, isVolatile: false),
        .init(name: "touch", arguments: [], result: .nothing, returnsSet: false),
        .init(
            name: "words", arguments: [.init(name: "of_list", type: "text", isRequired: false)],
            result: .record([
                .init(name: "list", type: "text", isNullable: true),
                .init(name: "words", type: "int8", isNullable: true),
            ]), returnsSet: true, isVolatile: false),
    ])

/// The plan of a request on `links`.
func plan(
    _ method: String, _ query: String = "", body: String = "", headers: Headers = [:],
    of resource: Resource = .table("links"),
    in catalog: Catalog = catalog
) throws(QueryError) -> Plan {
    let request = Request(method: method, path: "/", query: query, headers: headers, body: Array(body.utf8))
    return try Plan(request, resource, body: try JSONBody(of: request, for: resource)?.outline, catalog: catalog)
}
