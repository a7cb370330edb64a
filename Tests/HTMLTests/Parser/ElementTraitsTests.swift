import Testing

@testable import HTML

@Suite("HTML / element traits")
struct ElementTraitsTests {
    @Test("HTML elements have the traits of the standard's lists")
    func html() {
        #expect(ElementTraits.html(.td) == [.special, .scope, .listItemScope, .buttonScope, .thoroughlyImpliedEnd])
        #expect(ElementTraits.html(.p) == [.special, .impliedEnd, .thoroughlyImpliedEnd])
        #expect(ElementTraits.html(.b) == [])
        #expect(ElementTraits.html(.table).contains(.tableScope) && !ElementTraits.html(.td).contains(.tableScope))
    }

    @Test("integration points depend on the namespace")
    func foreign() {
        #expect(ElementTraits.foreign(.title, isSVG: true).contains(.htmlIntegrationPoint))
        #expect(ElementTraits.foreign(.title, isSVG: false) == .foreign)
        #expect(ElementTraits.foreign(.mi, isSVG: false).contains(.mathTextIntegrationPoint))
        #expect(ElementTraits.foreign(.mi, isSVG: true) == .foreign)
    }
}
