import HTML
import Testing

@testable import Readability

@Suite("Readability / element statistics")
struct ElementStatisticsTests {
    @Test("one walk counts the same as separate walks")
    func oneWalk() throws {
        let document = try Document(
            parsing: """
                <div> a <b> b</b><a href=#x> inner </a><h2>He <a href=y>ad</a> </h2><ul> <li>one <li> two<ul><li>three</ul></ul> end </div>
                """)
        let box = try #require(document.first([.div], below: document.root))
        let statistics = ElementStatistics(of: box, in: document)
        let links = document.elements([.a], below: box).map { document.measure($0).length }
        #expect(statistics.text == document.measure(box))
        #expect(statistics.linkedLength == Double(links[0]) * 0.3 + Double(links[1]))
        #expect(statistics.headingLength == document.measure(try #require(document.first([.h2], below: box))).length)
        #expect(
            statistics.listLength == document.elements([.ul], below: box).reduce(0) { $0 + document.measure($1).length }
        )
        #expect(statistics.items == 3)
    }
}
