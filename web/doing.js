// What a button in a row does: it rests meanwhile, and a failure is told. It is not disabled, which would take the focus
// from who works by keyboard.
import { tell } from '/toast.js';

export const doing = (work) => async ({ currentTarget: button }) => {
  if (button.ariaDisabled) return;
  button.ariaDisabled = 'true';
  try {
    await work();
  } catch ({ message }) {
    tell(message);
  } finally {
    button.ariaDisabled = null;
  }
};
