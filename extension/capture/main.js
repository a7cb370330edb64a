// Takes the page; the last of the scripts that are injected, whose value is the result. A classic script.

(() => {
  const SIGN_OUT_ADDRESS = /(log|sign)[-_]?(out|off)|abmelden|deconnexion|cerrar-?sesion|disconnetti/i;
  const SIGN_OUT_WORDS = [
    '(log|sign) ?(out|off)', 'abmelden', 'ausloggen', 'se déconnecter', 'déconnexion', 'cerrar sesión', 'esci',
    'uitloggen', 'logga ut', 'log ud', 'logg ut', 'kirjaudu ulos', 'wyloguj( się)?', 'sair', 'выйти', '退出', '登出',
    'ログアウト', '로그아웃',
  ];
  const SIGN_OUT_TEXT = new RegExp(`^\\s*(${SIGN_OUT_WORDS.join('|')})\\s*$`, 'i');

  /** The most links and buttons that are looked at. */
  const MAX_CONTROLS = 5_000;

  const textOf = (element) => Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').get.call(element);
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name) ?? '';

  // A page that offers to sign out shows what the server cannot see.
  function isSignedIn() {
    const controls = Document.prototype.querySelectorAll.call(document, 'a[href], button, form[action]');
    for (let index = 0; index < Math.min(controls.length, MAX_CONTROLS); index++) {
      const control = controls[index];
      const address = (attribute(control, 'href') || attribute(control, 'action')).slice(0, 2_000);
      if (SIGN_OUT_ADDRESS.test(address.replace(/[?#].*$/s, ''))) return true;
      const text = control instanceof HTMLFormElement ? '' : textOf(control);
      if (text.length < 60 && SIGN_OUT_TEXT.test(text)) return true;
    }
    return false;
  }

  async function capture() {
    const type = Object.getOwnPropertyDescriptor(Document.prototype, 'contentType').get.call(document);
    const isHTML = /^(text\/html|application\/xhtml\+xml)$/.test(type);
    if (!isHTML) return { problem: 'document' };
    const serializer = new globalThis.LecternSerializer();
    const html = await serializer.serialize(document);
    return { html, isSignedIn: isSignedIn(), ...(serializer.isTruncated && { problem: 'truncated' }) };
  }

  return capture();
})();
