import CSeccomp

/// Tunes malloc in a process whose threads handle many large pages: large blocks return to the system as soon as they
/// are freed.
public enum AllocatorTuning {
    /// The smallest such block, in bytes: a quarter of a megabyte.
    private static let threshold: Int32 = 256 << 10

    /// Without this, malloc raises its threshold when large blocks are freed and keeps such blocks for each thread.
    /// Many threads that have each handled a large page would then hold the memory of all these pages.
    public static func returnLargeBlocks() { _ = confinement_map_blocks_from(threshold) }
}
