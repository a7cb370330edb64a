// What a button in a row does: it rests meanwhile, and a failure is told.
import { tell } from '/toast.js';

export const doing = (work) => async ({ currentTarget: button }) => {
  button.disabled = true;
  try {
    await work();
  } catch ({ message }) {
    tell(message);
  } finally {
    button.disabled = false;
  }
};
