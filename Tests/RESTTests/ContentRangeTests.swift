import Testing

@testable import REST

@Suite("REST / Content-Range")
struct ContentRangeTests {
    @Test("a range names the first and last row and the total")
    func rows() { #expect(ContentRange(offset: 50, count: 25, total: 3_573).description == "50-74/3573") }

    @Test("without a count the total is a star")
    func uncounted() { #expect(ContentRange(offset: 0, count: 1, total: nil).description == "0-0/*") }

    @Test("a response without rows has no places")
    func empty() {
        #expect(ContentRange(offset: 50, count: 0, total: 3).description == "*/3")
        #expect(ContentRange.written(total: nil).description == "*/*")
    }
}
