// Which browser on which system a user agent stands for. Order matters: most browsers name several others.
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'], [/OPR\/|OPiOS|Opera/, 'Opera'], [/SamsungBrowser/, 'Samsung Internet'], [/Vivaldi/, 'Vivaldi'],
  [/Firefox|FxiOS/, 'Firefox'], [/Chrome|CriOS|Chromium/, 'Chrome'], [/Version\/.*Safari/, 'Safari'],
];
const SYSTEMS = [
  [/iPhone|iPod/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/CrOS/, 'ChromeOS'], [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'], [/Linux/, 'Linux'], [/(Free|Open|Net)BSD/, 'BSD'],
];
const named = (list, agent) => list.find(([pattern]) => pattern.test(agent))?.[1];

/** "Firefox on Linux"; for what is no browser the start of what it calls itself. */
export function deviceName(agent) {
  if (!agent) return 'Unknown device';
  if (!agent.startsWith('Mozilla/')) return agent.length > 40 ? agent.slice(0, 40) + '…' : agent;
  return [named(BROWSERS, agent), named(SYSTEMS, agent)].filter(Boolean).join(' on ') || agent.slice(0, 40);
}
