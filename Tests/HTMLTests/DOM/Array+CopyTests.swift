import Testing

@testable import HTML

@Suite("HTML / array copies")
struct ArrayCopyTests {
    @Test("a range of an array is appended to it")
    func appended() {
        var numbers = [1, 2, 3]
        numbers.appendCopy(of: 1..<3)
        #expect(numbers == [1, 2, 3, 2, 3])
        numbers.appendCopy(of: 0..<0)
        #expect(numbers == [1, 2, 3, 2, 3])
    }
}
