/// What is fetched for a user.
protocol FetchSubject: Sendable {
    var id: String { get }
    var userID: String { get }
}
