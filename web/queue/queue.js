// The queue page at `/queue/`: what the server does with what the user saved. All that it shows comes from pages and clients
// nobody knows, and becomes text nodes, never markup.
import { session, signed, signOut } from '/session.js';
import { everybody } from './everybody.js';
import { failures } from './failures.js';
import { gone } from './gone.js';
import { imports } from './imports.js';
import { lately } from './lately.js';
import { keepLooking } from './looking.js';
import { work } from './work.js';

// Each loads its section of the page, and tells whether something is happening there. They look one after the other, as in
// the page: a section more is one name here, a module, and its place in index.html.
const SECTIONS = [imports, work, failures, gone, lately];

if (session()) {
  for (const id of ['bar', 'queue']) document.getElementById(id).hidden = false;
  start();
} else {
  location.replace('/?next=queue');
}

async function start() {
  // Without an answer to who this is, the own queue is shown all the same.
  const isAdmin = await signed('/auth/v1/user').then((user) => user.app_metadata?.admin === true, () => false);
  keepLooking(isAdmin ? [...SECTIONS, everybody()] : SECTIONS);
}

document.getElementById('logout').onclick = signOut;
