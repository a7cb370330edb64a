/// The threads that answer a request.
public enum Lane: Sendable {
    /// Any free thread.
    case ordinary
    /// The one thread of each worker that answers slow requests one after the other, at a lower priority. Ordinary
    /// requests find threads, memory and processors however many slow requests there are.
    case slow
}
