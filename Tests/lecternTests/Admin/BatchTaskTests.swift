import Testing

@testable import lectern

@Suite("lectern / tasks in batches")
struct BatchTaskTests {
    @Test(
        "a batch calls the task's function with its place, size and named arguments, values as binds that are never printed"
    )
    func statement() {
        let task = BatchTask(
            name: "purge", what: "merges", batchSize: 5, arguments: [("of_table", .bind("public.trash"))])
        let batch = task.batch(after: "42", size: 5, isDryRun: true)
        #expect(
            "\(batch)".contains(
                #"select last_id, seen, changed from private."purge_batch"(****, ****, ****, "of_table" => ****)"#),
            "\(batch)")
        #expect(!"\(batch)".contains("public.trash"))
    }

    @Test("a batch starts small, doubles while it is fast and halves when it is slow")
    func size() {
        var size = BatchSize(limit: 35)
        #expect(size.current == 10)
        size.adapt(to: .milliseconds(1))
        #expect(size.current == 20)
        size.adapt(to: .milliseconds(1))
        #expect(size.current == 35)
        size.adapt(to: .milliseconds(20))
        #expect(size.current == 35)
        size.adapt(to: .milliseconds(31))
        #expect(size.current == 17)
    }

    @Test("a batch never shrinks below one row")
    func smallest() {
        var size = BatchSize(limit: 1)
        for _ in 0..<5 { size.adapt(to: .seconds(1)) }
        #expect(size.current == 1)
    }
}
