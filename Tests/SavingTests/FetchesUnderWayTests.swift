import Testing

@testable import HTTPFetch
@testable import Saving

@Suite("Saving / fetches under way")
struct FetchesUnderWayTests {
    private struct Subject: FetchSubject, Equatable {
        var id: String
        var userID = "ann"
    }

    @Test("a fetch is under way until its result is taken, and results are taken in the order in which they arrived")
    func order() {
        let fetches = FetchesUnderWay<Subject>()
        for id in ["1", "2", "3"] { fetches.begin(Subject(id: id)) }
        for id in ["3", "1"] { fetches.end(Subject(id: id), .failure(FetchError(.timeout, id))) }
        #expect(fetches.subjects.count == 3)
        #expect(fetches.takeArrived()?.subject.id == "3")
        #expect(fetches.takeArrived()?.subject.id == "1")
        #expect(fetches.takeArrived() == nil)
        #expect(fetches.subjects == [Subject(id: "2")])
    }

    @Test("nobody waits while nothing is under way, or once a result has arrived")
    func waiting() {
        let fetches = FetchesUnderWay<Subject>()
        let aDay = 86_400_000
        fetches.wait(milliseconds: aDay)
        fetches.begin(Subject(id: "1"))
        fetches.end(Subject(id: "1"), .failure(FetchError(.timeout, "Too slow.")))
        fetches.wait(milliseconds: aDay)
    }
}
