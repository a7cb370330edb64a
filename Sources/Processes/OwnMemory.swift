internal import CProcesses

/// The memory of this process.
public enum OwnMemory {
    /// Hides the memory from other processes of the same user, and keeps it out of core dumps: no such process can
    /// trace this one, or read its memory, its environment and its descriptors in /proc. Programs that hold secrets
    /// call this at their start. Programs that this process starts are not hidden.
    public static func hide() { _ = processes_hide_memory() }
}
