/// The member `data` of a message about a change. It is the same for all sockets, so it is written once.
enum ChangeData {
    /// Returns JSON text. As in Supabase, `record` is there after INSERT and UPDATE, and `old_record`, which holds the
    /// primary key, after UPDATE and DELETE.
    static func text(_ change: Change, columns: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(change.row.count + change.key.count + columns.count + 256)
        text += #"{"schema":"public","table":""#.utf8
        // Names of tables have no characters that JSON escapes.
        text += change.table.utf8
        text += #"","commit_timestamp":""#.utf8
        text += CommitTimestamp.text(microseconds: change.writtenAt).utf8
        text += #"","type":""#.utf8
        text += change.operation.rawValue.utf8
        text += #"","columns":"#.utf8
        text += columns
        if change.operation != .delete {
            text += #","record":"#.utf8
            text += change.row
        }
        if change.operation != .insert {
            text += #","old_record":"#.utf8
            text += change.key
        }
        text += #","errors":null}"#.utf8
        return text
    }
}
