import JSON

/// The description of the API in OpenAPI 2.0, as PostgREST writes it. It is generated from the catalog; the texts are
/// the comments of tables, columns and functions.
public struct OpenAPI {
    public static let contentType = "application/openapi+json; charset=utf-8"

    private let catalog: Catalog
    private let url: String
    private let title: String
    private let description: String

    /// - Parameters:
    ///   - url: the public URL of the service.
    ///   - title: the name of the API.
    ///   - description: one or two sentences about the API.
    public init(_ catalog: Catalog, url: String, title: String, description: String) {
        self.catalog = catalog
        self.url = url
        self.title = title
        self.description = description
    }

    public var json: String {
        let tables = catalog.tables.values.sorted { $0.name < $1.name }
        let functions = catalog.functions.values.sorted { $0.name < $1.name }
        let paths =
            [("/", Self.root)] + tables.map { ("/\($0.name)", path(of: $0)) }
            + functions.map { ("/rpc/\($0.name)", path(of: $0)) }
        let (scheme, host) = Self.parts(url)
        return Self.object([
            ("swagger", Self.text("2.0")),
            (
                "info",
                Self.object([
                    ("title", Self.text(title)), ("version", Self.text("1")),
                    ("description", Self.text(description)),
                ])
            ),
            ("host", Self.text(host)), ("basePath", Self.text("/rest/v1/")),
            ("schemes", Self.array([Self.text(scheme)])),
            ("consumes", Self.array(Self.bodyTypes.map(Self.text))),
            ("produces", Self.array(Self.mediaTypes.map(Self.text))),
            ("securityDefinitions", Self.security),
            ("security", Self.array([Self.object([("apikey", "[]"), ("user", "[]")])])),
            ("paths", Self.object(paths)),
            ("definitions", Self.object(tables.map { ($0.name, definition(of: $0)) })),
            ("parameters", Self.object(Self.sharedParameters + tables.flatMap(filters))),
        ])
    }

    // MARK: - Tables

    private func path(of table: Catalog.Table) -> String {
        let filters = table.columns.map { Self.reference("rowFilter.\(table.name).\($0.name)") }
        let window = ["select", "order", "limit", "offset", "range", "rangeUnit"].map(Self.reference)
        let row = Self.object([("$ref", Self.text("#/definitions/\(table.name)"))])
        let rows = Self.object([("type", Self.text("array")), ("items", row)])
        let body = Self.object([("in", Self.text("body")), ("name", Self.text(table.name)), ("schema", row)])
        let prefer = Self.reference("prefer")
        func operation(_ summary: String, _ parameters: [String], _ responses: [(String, String)]) -> String {
            Self.object([
                ("tags", Self.array([Self.text(table.name)])), ("summary", Self.text(summary)),
                ("parameters", Self.array(parameters)),
                ("responses", Self.object(responses)),
            ])
        }
        func response(_ description: String, _ schema: String? = nil) -> String {
            Self.object([("description", Self.text(description))] + (schema.map { [("schema", $0)] } ?? []))
        }
        return Self.object([
            (
                "get",
                operation(
                    table.comment ?? "Rows of \(table.name)", filters + window + [prefer],
                    [
                        ("200", response("OK", rows)), ("206", response("Partial Content", rows)),
                        ("304", response("Not Modified")), ("413", response("The response is too large")),
                        ("416", response("The range is beyond the rows")),
                    ])
            ),
            (
                "post",
                operation(
                    "Insert or upsert", [body, Self.reference("select"), Self.reference("on_conflict"), prefer],
                    [
                        ("201", response("Created")), ("200", response("All rows existed and were merged")),
                        ("409", response("Duplicate")),
                    ])
            ),
            (
                "patch",
                operation(
                    "Update the rows that match the filters", filters + [body, prefer],
                    [("204", response("No Content"))])
            ),
            (
                "delete",
                operation(
                    "Delete the rows that match the filters", filters + [prefer], [("204", response("No Content"))])
            ),
        ])
    }

    private func definition(of table: Catalog.Table) -> String {
        let required = table.columns.filter { !$0.isNullable && $0.defaultExpression == nil }.map { Self.text($0.name) }
        return Self.object(
            [("type", Self.text("object"))] + (table.comment.map { [("description", Self.text($0))] } ?? [])
                + (required.isEmpty ? [] : [("required", Self.array(required))])
                + [("properties", Self.object(table.columns.map { ($0.name, property($0, of: table)) }))])
    }

    private func property(_ column: Catalog.Column, of table: Catalog.Table) -> String {
        var notes = column.comment.map { [$0] } ?? []
        if table.primaryKey.contains(column.name) { notes.append("This is a Primary Key.<pk/>") }
        for key in table.foreignKeys {
            guard let index = key.columns.firstIndex(of: column.name) else { continue }
            let target = key.targetColumns[index]
            notes.append(
                "This is a Foreign Key to `\(key.target).\(target)`.<fk table='\(key.target)' column='\(target)'/>")
        }
        return Self.object(
            Self.type(column.type)
                + (notes.isEmpty ? [] : [("description", Self.text(notes.joined(separator: "\n\n")))])
                + (column.defaultExpression.flatMap(Self.constant).map { [("default", $0)] } ?? []))
    }

    /// The value of a constant default such as `'read'::text`, `16` or `false`; nil for a call such as `now()`.
    private static func constant(_ expression: String) -> String? {
        if expression == "true" || expression == "false" { return expression }
        let bare = expression.prefix { $0 != ":" }
        if expression.hasPrefix("'"), bare.hasSuffix("'"), bare.count > 1 {
            let value = bare.dropFirst().dropLast()
            return value.contains("'") ? nil : Self.text(String(value))
        }
        return Double(expression).map { _ in expression }
    }

    private func filters(of table: Catalog.Table) -> [(name: String, value: String)] {
        table.columns.map { column in
            (
                "rowFilter.\(table.name).\(column.name)",
                Self.parameter(
                    column.name, "query", "A filter such as eq.5, in.(a,b) or not.is.null", format: column.type)
            )
        }
    }

    // MARK: - Functions

    private func path(of function: Catalog.Function) -> String {
        let arguments = Self.object(
            [("type", Self.text("object"))]
                + (function.arguments.contains(where: \.isRequired)
                    ? [("required", Self.array(function.arguments.filter(\.isRequired).map { Self.text($0.name) }))]
                    : [])
                + [("properties", Self.object(function.arguments.map { ($0.name, Self.object(Self.type($0.type))) }))])
        let body = Self.object([
            ("in", Self.text("body")), ("name", Self.text("args")),
            ("required", function.arguments.contains(where: \.isRequired) ? "true" : "false"), ("schema", arguments),
        ])
        let query = function.arguments.map { argument in
            Self.parameter(
                argument.name, "query", "An argument", format: argument.type, isRequired: argument.isRequired)
        }
        let window = Self.window(of: function)
        return Self.object(
            (function.isVolatile ? [] : [("get", operation(function, query + window))])
                + [("post", operation(function, [body] + window))])
    }

    private func operation(_ function: Catalog.Function, _ parameters: [String]) -> String {
        func response(_ description: String, _ schema: String? = nil) -> String {
            Self.object([("description", Self.text(description))] + (schema.map { [("schema", $0)] } ?? []))
        }
        let schema = schema(of: function)
        let responses =
            switch function.result {
            case .nothing: [("204", response("No Content"))]
            case .value: [("200", response("OK", schema))]
            case .row, .record:
                [
                    ("200", response("OK", schema)), ("206", response("Partial Content", schema)),
                    ("413", response("The response is too large")), ("416", response("The range is beyond the rows")),
                ]
            }
        return Self.object([
            ("tags", Self.array([Self.text("(rpc) \(function.name)")])),
            ("summary", Self.text(function.comment ?? function.name)), ("parameters", Self.array(parameters)),
            ("responses", Self.object(responses)),
        ])
    }

    /// The parameters that select, order and limit the rows of a function.
    private static func window(of function: Catalog.Function) -> [String] {
        switch function.result {
        case .nothing, .value: []
        case .row, .record:
            (function.returnsSet ? ["select", "order", "limit", "offset", "range", "rangeUnit", "prefer"] : ["select"])
                .map(reference)
        }
    }

    /// What a function returns; nil for nothing.
    private func schema(of function: Catalog.Function) -> String? {
        let one: String
        switch function.result {
        case .nothing: return nil
        case .value(let type): one = Self.object(Self.type(type))
        case .row(let table): one = Self.object([("$ref", Self.text("#/definitions/\(table)"))])
        case .record(let columns):
            let properties = columns.map { ($0.name, Self.object(Self.type($0.type))) }
            one = Self.object([("type", Self.text("object")), ("properties", Self.object(properties))])
        }
        return function.returnsSet ? Self.object([("type", Self.text("array")), ("items", one)]) : one
    }

    // MARK: - Shared parts

    private static let bodyTypes = ["application/json", "application/x-www-form-urlencoded", "text/csv"]

    private static let mediaTypes = [
        "application/json", "application/vnd.pgrst.object+json", "application/vnd.pgrst.object+json;nulls=stripped",
        "text/csv",
    ]

    private static let root = object([
        (
            "get",
            object([
                ("tags", array([text("Introspection")])), ("summary", text("This description")),
                ("responses", object([("200", object([("description", text("OK"))]))])),
            ])
        )
    ])

    private static let security = object([
        ("apikey", object([("type", text("apiKey")), ("name", text("apikey")), ("in", text("header"))])),
        ("user", object([("type", text("apiKey")), ("name", text("Authorization")), ("in", text("header"))])),
    ])

    private static let sharedParameters: [(name: String, value: String)] = [
        ("select", parameter("select", "query", "Columns, renamed columns, casts and related tables")),
        ("order", parameter("order", "query", "Ordering, such as updated_at.desc,id.desc")),
        ("limit", parameter("limit", "query", "Largest number of rows")),
        ("offset", parameter("offset", "query", "Number of rows to skip")),
        ("on_conflict", parameter("on_conflict", "query", "Columns of the unique key that an upsert uses")),
        ("range", parameter("Range", "header", "First and last row, such as 0-14")),
        ("rangeUnit", parameter("Range-Unit", "header", "items")),
        ("prefer", parameter("Prefer", "header", "return=, resolution=, count=, missing=, handling=, max-affected=")),
    ]

    private static func parameter(
        _ name: String, _ location: String, _ description: String, format: String? = nil, isRequired: Bool = false
    ) -> String {
        object(
            [
                ("name", text(name)), ("in", text(location)), ("type", text("string")),
                ("required", isRequired ? "true" : "false"),
            ]
                + (format.map { [("format", text($0))] } ?? []) + [("description", text(description))])
    }

    /// The JSON Schema type of a PostgreSQL type; the PostgreSQL name becomes the format.
    private static func type(_ name: String) -> [(name: String, value: String)] {
        let isArray = name.hasPrefix("_") || name.hasSuffix("[]")
        let type =
            switch name {
            case _ where isArray: "array"
            case "int2", "int4", "int8", "integer", "bigint", "smallint": "integer"
            case "float4", "float8", "numeric", "double precision", "real": "number"
            case "bool", "boolean": "boolean"
            case "json", "jsonb": "object"
            default: "string"
            }
        return [("type", text(type)), ("format", text(name))]
            + (isArray ? [("items", object([("type", text("string"))]))] : [])
    }

    private static func parts(_ url: String) -> (scheme: String, host: String) {
        guard let separator = url.firstRange(of: "://") else { return ("http", url) }
        return (String(url[..<separator.lowerBound]), String(url[separator.upperBound...].prefix { $0 != "/" }))
    }

    private static func reference(_ name: String) -> String { object([("$ref", text("#/parameters/\(name)"))]) }
    private static func object(_ members: [(name: String, value: String)]) -> String { JSONText.object(members) }
    private static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }
    private static func text(_ value: String) -> String { JSONText.string(value) }
}
