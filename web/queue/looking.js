// When the page looks what has changed: often while something happens, seldom when nothing does, never while nobody sees it.
const BUSY_MS = 3_000, IDLE_MS = 15_000;
// How many times longer the server rests than it has worked for us, however much there is.
const REST = 10;
let sections = [], looking = Promise.resolve(), timer;

export function keepLooking(these) {
  sections = these;
  document.addEventListener('visibilitychange', () => document.hidden ? clearTimeout(timer) : look());
  look();
}

/** Looks now; after who is looking already, as that one may have come too early. */
export const look = () => looking = looking.then(lookOnce);

async function lookOnce() {
  clearTimeout(timer);
  const begun = performance.now();
  let isBusy = false;
  for (const section of sections) if (await section()) isBusy = true;
  if (document.hidden) return;
  timer = setTimeout(look, Math.max(isBusy ? BUSY_MS : IDLE_MS, REST * (performance.now() - begun)));
}
