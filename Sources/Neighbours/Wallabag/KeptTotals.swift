/// Keeps how many entries each list has, until a row of the user changes. Clients read a list page by page, and every page
/// states this total.
public struct KeptTotals {
    /// The kept total of the list with these parameters.
    let read: (String) -> Int?
    /// Keeps the total of a list.
    let keep: (String, Int) -> Void

    public init(read: @escaping (String) -> Int?, keep: @escaping (String, Int) -> Void) {
        self.read = read
        self.keep = keep
    }
}
