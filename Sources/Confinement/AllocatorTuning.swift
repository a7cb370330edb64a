import CSeccomp

/// Memory of the process that confined ones work for: what is large there goes back to the system as soon as it is freed.
public enum AllocatorTuning {
    /// A quarter of a megabyte.
    private static let from: Int32 = 256 << 10

    /// Without it malloc learns from the large blocks that are freed to keep such blocks, for each thread, and a crowd of
    /// threads that each had a large page once holds the memory of all of them.
    public static func giveBack() { _ = confinement_map_blocks_from(from) }
}
