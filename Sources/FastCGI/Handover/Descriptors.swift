internal import Glibc

/// The numbers of a supervisor's descriptors.
enum Descriptors {
    /// Moves a descriptor above the numbers that a worker gets (0 to 5) and marks it close-on-exec. A child's
    /// descriptors can then be set up without overwriting one that has not been copied yet.
    static func moveAboveWorkerRange(_ descriptor: Int32) -> Int32 {
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        guard moved >= 0 else { return descriptor }
        close(descriptor)
        return moved
    }
}
