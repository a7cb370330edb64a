import Testing

@testable import Saving

@Suite("Saving / source retention")
struct SourceRetentionTests {
    @Test("pages up to the limit stay stored, and none where retention is off")
    func limit() {
        var retention = SourceRetention()
        retention.limit = 3
        #expect(retention.includes("abc") && !retention.includes("abcd") && !retention.includes("éé"))
        retention.isOn = false
        #expect(!retention.includes("a"))
    }
}
