// The page has several faces and shows one of them.
const VIEWS = ['account', 'link', 'farewell', 'trouble'];

export function only(id) {
  for (const view of VIEWS) document.getElementById(view).hidden = view !== id;
  return document.getElementById(id);
}
