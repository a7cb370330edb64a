import Testing

@testable import HTML

@Suite("HTML / quirks mode")
struct QuirksModeTests {
    @Test("the modern doctype selects standards mode, and a missing one quirks mode")
    func pages() throws {
        #expect(try !Document(parsing: "<!DOCTYPE html><p>x").isQuirky)
        #expect(try Document(parsing: "<p>x").isQuirky)
    }

    @Test(
        "legacy doctypes select quirks mode",
        arguments: [
            Doctype(), Doctype(name: "svg"), Doctype(name: "html", forcesQuirks: true),
            Doctype(name: "html", publicID: "-//W3C//DTD HTML 3.2 Final//EN"), Doctype(name: "html", publicID: "HTML"),
            Doctype(name: "html", publicID: "-//W3C//DTD HTML 4.01 Transitional//EN"),
            Doctype(name: "html", systemID: "http://www.IBM.com/data/dtd/v11/ibmxhtml1-transitional.dtd"),
        ])
    func legacy(doctype: Doctype) { #expect(QuirksMode.applies(to: doctype)) }

    @Test(
        "later doctypes do not",
        arguments: [
            Doctype(name: "html"), Doctype(name: "html", systemID: "about:legacy-compat"),
            Doctype(
                name: "html", publicID: "-//W3C//DTD HTML 4.01 Transitional//EN",
                systemID: "http://www.w3.org/TR/html4/loose.dtd"),
            Doctype(name: "html", publicID: "-//W3C//DTD XHTML 1.0 Strict//EN"),
        ])
    func later(doctype: Doctype) { #expect(!QuirksMode.applies(to: doctype)) }
}
