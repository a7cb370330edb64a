import Testing

@testable import HTML

@Suite("HTML / tree construction")
struct TreeBuilderTests {
    static let files = ConformanceData.files("tree-construction", ".dat") + ConformanceData.files("tree-construction/scripted", ".dat").map { "scripted/" + $0 }

    @Test("every case of the standard's suite comes out as it says, but those we list with a reason", arguments: files)
    func conformance(file: String) throws {
        for (index, test) in TreeCase.all(in: try ConformanceData.text("tree-construction/\(file).dat")).enumerated() {
            if test.isScripted == true || file.hasPrefix("scripted/") { continue }
            let result = try test.result()
            let reason = Self.different["\(file) \(index)"]
            if reason == nil {
                #expect(result == test.expected, "\(file), case \(index): \(test.data)")
            } else {
                #expect(result != test.expected, "\(file), case \(index) passes: take it off the list")
            }
        }
    }

    /// Cases that come out otherwise: the file and the case's number in it, and why.
    static let different: [String: String] = Dictionary(
        uniqueKeysWithValues: (44...47).map { ("webkit02 \($0)", selectedContent) })

    private static let selectedContent = """
        selectedcontent shows a copy of the chosen option, which browsers keep up to date as people choose; a reader has \
        no use for the same text twice
        """
}
