import ArgumentParser
import Postgres

extension MaintainCommand {
    struct Reindex: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add links and tags to the index of search.",
            discussion: """
                Indexes links and tags that search does not find yet, and those whose words were indexed by older rules. \
                Everything that is saved later is indexed when it is saved.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        func run() throws {
            let account = try owner.argument()
            try batches.run(
                ["public.links", "public.tags"].map { table in
                    BatchTask(
                        name: "reindex", what: table, batchSize: 100, arguments: [("of_table", .bind(table)), account])
                })
        }
    }
}
