// Names of devices from their user agents.

import { t } from '../shared/locale/translate.js';

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
  if (!agent) return t('Unknown device');
  if (!agent.startsWith('Mozilla/')) {
    return agent.length > MAX_LENGTH ? `${agent.slice(0, MAX_LENGTH)}…` : agent;
  }
  const [browser, system] = [firstMatch(BROWSERS, agent), firstMatch(SYSTEMS, agent)];
  if (browser && system) return t('{browser} on {system}', { browser, system });
  return browser ?? system ?? agent.slice(0, MAX_LENGTH);
}

function firstMatch(names, agent) {
  return names.find(([pattern]) => pattern.test(agent))?.[1];
}
