import HTML
import Testing

@testable import Readability

@Suite("Readability / JSON-LD objects")
struct LinkedGraphTests {
    private func graph(_ scripts: String...) throws -> LinkedGraph {
        let document = try Document(
            parsing: scripts.map { "<script type='application/ld+json'>\($0)</script>" }.joined())
        return LinkedGraph(document.elements([.script], below: document.root), in: document)
    }

    @Test("objects of all scripts are collected, and broken scripts are skipped")
    func objects() throws {
        let graph = try graph(#"{"@type":"WebSite","name":"A"}"#, "{", #"[{"@graph":[{"@type":"Article"}]}]"#)
        #expect(graph.first(ofType: "WebSite")?["name"]?.string == "A")
        #expect(graph.first(ofType: "Article") != nil)
        #expect(graph.first(ofType: "Person") == nil)
    }

    @Test("objects that are only mentioned are not collected")
    func mentions() throws {
        #expect(
            try graph(#"{"@type":"Article","mentions":{"@type":"Person"},"comment":[{"@type":"Comment"}]}"#).objects
                .count == 1)
    }

    @Test("a reference is resolved by its id")
    func references() throws {
        let graph = try graph(
            ##"[{"@id":"#a","name":"Ann Lee"},{"@type":"Article","author":{"@id":"#a"},"editor":{"@id":"#b"}}]"##)
        let article = try #require(graph.first(ofType: "Article"))
        #expect(graph.resolved(try #require(article["author"]))["name"]?.string == "Ann Lee")
        #expect(graph.resolved(try #require(article["editor"]))["name"] == nil)
    }

    @Test("types are read without their vocabulary")
    func types() throws {
        let graph = try graph(#"{"@type":["schema:Article","https://schema.org/Thing"]}"#)
        #expect(graph.objects.first.map(LinkedGraph.types) == ["Article", "Thing"])
    }
}
