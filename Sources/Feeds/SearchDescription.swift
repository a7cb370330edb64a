/// How to search, as OpenSearch 1.1 describes it.
public struct SearchDescription: Sendable {
    public static let type = "application/opensearchdescription+xml"

    private let description: String
    /// The URL of a picture in SVG.
    private let icon: String
    /// The URL of this description; nil to leave it out.
    private let address: String?
    /// The media type of the results, and their URL with `{searchTerms}` in it.
    private let results: (type: String, template: String)

    public init(_ description: String, icon: String, address: String?, results: (type: String, template: String)) {
        self.description = description
        self.icon = icon
        self.address = address
        self.results = results
    }

    public var bytes: [UInt8] {
        XMLWriter.document("OpenSearchDescription", ["xmlns": "http://a9.com/-/spec/opensearch/1.1/"]) { xml in
            xml.element("ShortName", text: "Lectern")
            xml.element("Description", text: description)
            xml.element("InputEncoding", text: "UTF-8")
            xml.element("OutputEncoding", text: "UTF-8")
            xml.element("Image", ["type": "image/svg+xml"], text: icon)
            xml.element("Url", ["type": results.type, "template": results.template])
            if let address { xml.element("Url", ["type": Self.type, "rel": "self", "template": address]) }
        }
    }
}
