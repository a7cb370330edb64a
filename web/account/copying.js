// A secret that is shown once, to be copied and put away.

/** Shows `secret` in the box; the button `closer` takes it off the page again. */
export function showOnce(box, secret, closer) {
  const field = box.querySelector('input'), button = box.querySelector('[data-copy]');
  field.value = secret;
  button.textContent = 'Copy';
  button.onclick = async () => { button.textContent = await copy(field) ? 'Copied' : 'Press Ctrl+C'; };
  closer.onclick = () => {
    field.value = '';
    box.hidden = true;
    box.closest('section').querySelector('h2').focus();
  };
  box.hidden = false;
  box.querySelector('h3').focus();
}

// Browsers have a clipboard only for pages that came by https; the old way works for the others too.
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
