/// The numbers of all entries of lists, kept while no row of the user changes. Clients read a list page by page, and each
/// page tells the number.
public struct KeptTotals {
    /// Reads the number of a list by the parameters of the list.
    let read: (String) -> Int?
    /// Keeps the number of a list.
    let keep: (String, Int) -> Void

    public init(read: @escaping (String) -> Int?, keep: @escaping (String, Int) -> Void) {
        self.read = read
        self.keep = keep
    }
}
