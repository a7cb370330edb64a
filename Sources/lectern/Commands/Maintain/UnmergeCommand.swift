import ArgumentParser
import JSON
import Postgres

extension MaintainCommand {
    struct Unmerge: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List merges, or undo one.",
            discussion: """
                Undoing restores the merged link with everything that came from it; changes made since stay with the remaining \
                link. Records of merges are kept until purge-merges deletes them.
                """)

        @Argument(help: "Id of the merge to undo; without it, merges are listed.")
        var merge: String?

        @Flag(help: "Show the merge, and change nothing.")
        var dryRun = false

        @Flag(help: "Print JSON.")
        var json = false

        @OptionGroup var owner: Owner

        @Option(help: "List at most this many merges, newest first.")
        var limit = 50

        func validate() throws {
            if !(1...100_000).contains(limit) { throw ValidationError("--limit takes 1 to 100000 merges.") }
        }

        func run() throws {
            guard let merge else { return try list(ofMerge: nil) }
            if dryRun { return try list(ofMerge: merge) }
            let rows = try AdminDatabase.run("select id, raw_url from public.unmerge(\(merge)::uuid)")
            guard rows.count > 0 else {
                throw CommandError("no merge to undo has the id \(merge); it may have been undone before")
            }
            if json {
                let links = (0..<rows.count).map { link(rows, $0) }
                return print("[" + links.joined(separator: ",") + "]")
            }
            print("Restored as two links:")
            for row in 0..<rows.count {
                print("  \(rows.text(row, 0) ?? "")  \(Listing.plain(rows.text(row, 1) ?? ""))")
            }
        }

        private func link(_ rows: Rows, _ row: Int) -> String {
            JSONText.object([
                ("id", JSONText.string(rows.text(row, 0) ?? "")), ("raw_url", JSONText.string(rows.text(row, 1) ?? "")),
            ])
        }

        private func list(ofMerge merge: String?) throws {
            let account = try owner.argument().value
            try Listing(
                shown: ["id", "email", "merged_at", "reason", "raw_url", "survivor_url", "undone_at"],
                query: """
                    select merges.id, users.email, merges.merged_at, merges.reason, merges.raw_url, merges.merged_id,
                        survivor.raw_url as survivor_url, merges.survivor_id, merges.undone_at
                    from public.link_merges merges join auth.users on users.id = merges.user_id
                        left join public.links survivor on survivor.id = merges.survivor_id
                    where (\(merge)::uuid is null or merges.id = \(merge)::uuid)
                        and (\(account) is null or merges.user_id = \(account))
                    order by merges.merged_at desc, merges.id limit \(limit)
                    """,
                ifEmpty: "There are no merges."
            ).print(json: json)
        }
    }
}
