// How long a page is waited for, how long the popup looks what became of it, and how often the extension looks at links
// whose pages are held.

/** Milliseconds until a page that does not answer is given up. */
export const CAPTURE_TIMEOUT_MS = 50_000;

/** Pauses between two looks of the popup, in milliseconds. Together they are longer than a page is waited for. */
export const LOOK_PAUSES_MS = [300, 700, 1_000, 2_000, 3_000, 5_000, 8_000, 10_000, 10_000, 10_000, 15_000];

/** Minutes until the alarm that looks at links whose pages are held, also after the service worker was stopped. */
export const HELD_ALARM_MINUTES = 1;

/**
 * Pauses between two looks at the link of a held page until that alarm rings, in milliseconds. The service worker is
 * stopped after 30 seconds without work; each look is work.
 */
export const HELD_PAUSES_MS = [1_000, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000, 8_000];
