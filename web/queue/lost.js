// A row about a page that is not to be had: why, a way to the original, and another try.
import { doing } from '/doing.js';
import { line, make } from '/make.js';
import { leadOut } from '/naming.js';
import { tell } from '/toast.js';
import { retry } from './asking.js';
import { swap } from './live.js';
import { look } from './looking.js';
import { short, titled } from './title.js';

/** Makes what `live` makes rows with. `about` tells what is `wrong` with a thing that has a `link`, and the `facts` below. */
export const lost = (about) => () => {
  let page, why = make('p'), facts = make('p');
  const title = titled(), original = make('a', { textContent: 'Open the original' });
  const button = make('button', { textContent: 'Try again', onclick: doing(() => tryAgain(page)) });
  const element = make('li', {}, make('div', {}, title.element, why, facts), make('div', { className: 'buttons' }, original, button));
  function paint(thing) {
    const said = about(thing), { link } = page = thing;
    title.paint(thing);
    why = swap(why, make('p', { className: said.isWish ? 'facts' : 'facts wrong', dir: 'auto', textContent: said.wrong }));
    facts = swap(facts, line(...said.facts));
    leadOut(original, link.raw_url).ariaLabel = `Open the original of ${short(link)}`;
    button.ariaLabel = `Try again: ${short(link)}`;
    button.hidden = !!said.isTried;
  }
  return { element, paint };
};

async function tryAgain({ link_id, link }) {
  await retry([link_id]);
  tell(`Trying again: ${short(link)}`);
  await look();
}
