// Names of devices from their user agents.

// In this order: most browsers also name several others.
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|OPiOS|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Vivaldi/, 'Vivaldi'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS|Chromium/, 'Chrome'],
  [/Version\/.*Safari/, 'Safari'],
];

const SYSTEMS = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
  [/(Free|Open|Net)BSD/, 'BSD'],
];

/** User agents that are shown as they are get cut after this many UTF-16 units. */
const MAX_LENGTH = 40;

/**
 * Returns "Firefox on Linux" for a browser, and the beginning of the user agent for anything else.
 * @param {string | null | undefined} agent
 * @returns {string}
 */
export function deviceName(agent) {
  if (!agent) return 'Unknown device';
  if (!agent.startsWith('Mozilla/')) {
    return agent.length > MAX_LENGTH ? `${agent.slice(0, MAX_LENGTH)}…` : agent;
  }
  const parts = [firstMatch(BROWSERS, agent), firstMatch(SYSTEMS, agent)].filter(Boolean);
  return parts.join(' on ') || agent.slice(0, MAX_LENGTH);
}

function firstMatch(names, agent) {
  return names.find(([pattern]) => pattern.test(agent))?.[1];
}
