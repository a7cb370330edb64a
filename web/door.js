// The door: sign in, make an account where everybody may, ask for a link when the password is forgotten.
import { onSubmit } from './forms.js';
import { recover } from './recover.js';
import { enter, request, said } from './session.js';

const $ = (selector) => document.querySelector(selector);
const login = $('#login'), forgotten = $('#forgotten'), signUp = $('#login [value=signup]');

/** Makes the door ready; `enterRoom` is called for who came in. */
export function openDoor(enterRoom) {
  onSubmit(login, (form, grant) => enter(grant, form).then(enterRoom));
  recover(forgotten);
  $('#forgot').onclick = () => turn(forgotten, login.elements.email.value);
  $('#remembered').onclick = () => turn(login, forgotten.elements.email.value);
  $('#login p[role=alert]').textContent = said();
  request('/auth/v1/settings').then(({ disable_signup }) => tellWhoMayComeIn(disable_signup), () => tellWhoMayComeIn(false));
}

function tellWhoMayComeIn(isByInvitation) {
  signUp.hidden = isByInvitation;
  $('#invitation').hidden = !isByInvitation;
}

function turn(form, address) {
  for (const one of [login, forgotten]) one.hidden = one !== form;
  form.elements.email.value = address;
  form.elements.email.focus();
}
