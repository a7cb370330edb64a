/// Kinds of files that are not text.
public enum MediaKind: Sendable, CaseIterable { case image, audio, video }
