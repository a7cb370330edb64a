extension OPDSCatalog {
    public var bytes: [UInt8] {
        XMLWriter.document("feed", Self.namespaces) { xml in
            xml.element("id", text: id)
            xml.element("title", text: title)
            xml.element("updated", text: updated)
            xml.element("author") { $0.element("name", text: "Lectern") }
            writeLinks(to: &xml)
            switch content {
            case .sections(let sections): for section in sections { section.write(to: &xml) }
            case .publications(let publications): for publication in publications { publication.write(to: &xml) }
            }
        }
    }

    private static var namespaces: XMLWriter.Attributes {
        [
            "xmlns": "http://www.w3.org/2005/Atom", "xmlns:dc": "http://purl.org/dc/terms/",
            "xmlns:opds": "http://opds-spec.org/2010/catalog", "xmlns:thr": "http://purl.org/syndication/thread/1.0",
        ]
    }

    private func writeLinks(to xml: inout XMLWriter) {
        xml.element("link", ["rel": "self", "type": content.kind.type, "href": addresses.this])
        xml.element("link", ["rel": "start", "type": Kind.navigation.type, "href": addresses.start])
        if let up = addresses.up { xml.element("link", ["rel": "up", "type": Kind.navigation.type, "href": up]) }
        if let next = addresses.next { xml.element("link", ["rel": "next", "type": content.kind.type, "href": next]) }
        xml.element("link", ["rel": "search", "type": SearchDescription.type, "href": addresses.search])
    }
}

extension OPDSSection {
    fileprivate func write(to xml: inout XMLWriter) {
        xml.element("entry") { xml in
            xml.element("id", text: id)
            xml.element("title", text: title)
            xml.element("updated", text: updated)
            xml.element("content", ["type": "text"], text: summary)
            xml.element(
                "link",
                ["rel": relation, "type": kind.type, "href": address, "thr:count": count.map { String($0) }])
        }
    }
}

extension Publication {
    private static let imageRelation = "http://opds-spec.org/image"

    fileprivate func write(to xml: inout XMLWriter) {
        xml.element("entry") { xml in
            AtomFeed.writeDescription(of: entry, to: &xml)
            xml.element("dc:identifier", text: entry.urn)
            xml.element("dc:language", text: entry.language)
            xml.element("dc:publisher", text: publisher)
            xml.element("dc:issued", text: issued)
            xml.element("dc:source", text: entry.page)
            for tag in entry.tags { xml.element("dc:subject", text: tag) }
            xml.element("summary", ["type": "text", "xml:lang": entry.language], text: entry.summary)
            xml.element(
                "link",
                ["rel": "http://opds-spec.org/acquisition", "type": "application/epub+zip", "href": book])
            xml.element("link", ["rel": Self.imageRelation, "type": "image/jpeg", "href": cover])
            xml.element("link", ["rel": Self.imageRelation + "/thumbnail", "type": "image/jpeg", "href": cover])
            if let page = entry.page {
                xml.element("link", ["rel": "alternate", "type": "text/html", "href": page])
            }
        }
    }
}
