// What is done in one section shows in others: a new password ends sessions, and everything is an activity.
const listeners = [];

export const onChange = (refresh) => listeners.push(refresh);
export const changed = () => listeners.forEach((refresh) => refresh());
