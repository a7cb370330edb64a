/// Kinds of files that are not text.
public enum Medium: Sendable, CaseIterable { case image, audio, video }
