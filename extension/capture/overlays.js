// Finds what covers the text of a page: dialogs of consent, newsletters and paywalls. A classic script, because content
// scripts are no modules. It runs in the extension's own world, where a page has changed no methods. A page can still
// shadow properties of forms and of the document by names in its markup, so this code calls methods of prototypes.

(() => {
  // Containers of consent managers, newsletter tools and paywalls, as their own documentation names them: OneTrust,
  // Cookiebot, Quantcast, Didomi, Usercentrics, Sourcepoint, TrustArc, CookieYes, consentmanager, Funding Choices,
  // Osano, iubenda, Klaro, Complianz, Termly, Axeptio, tarteaucitron, Piano, Poool, OptinMonster, Privy, Sumo.
  const VENDORS = new RegExp([
    'onetrust', 'cookiebot', 'cybotcookie', 'qc-cmp', 'didomi-', 'usercentrics', 'sp_message', 'truste', 'trustarc',
    'cky-', 'cmpbox', 'cmpwrapper', 'fc-consent', 'osano-', 'iubenda-cs', 'klaro', 'cmplz', 'termly', 'axeptio',
    'tarteaucitron', 'tp-modal', 'tp-backdrop', 'tp-iframe', 'poool', 'optinmonster', 'om-holder', 'privy-', 'sumome',
  ].join('|'), 'i');

  // Parts of names by which sites mark such boxes themselves.
  const NAMES = new RegExp([
    'cookie', 'consent', 'gdpr', 'ccpa', 'cmp\\b', 'privacy-?(banner|notice)', 'newsletter', 'sign-?up',
    'subscri(be|ption)', 'paywall', 'regwall', 'meter(ed)?', 'modal', 'popup', 'pop-up', 'overlay', 'interstitial',
    'lightbox', 'backdrop', 'gate\\b',
  ].join('|'), 'i');

  // What such boxes say, in the languages of most readers of the web.
  const WORDS = new RegExp([
    'cookie', 'consent', 'gdpr', 'privacy', 'partners? store', 'newsletter', 'subscri', 'sign ?up', 'sign ?in',
    'log ?in', 'register', 'create an account', 'free trial', 'unlimited', 'ad ?block', 'enable notifications',
    'einwillig', 'datenschutz', 'abonn', 'anmelden', 'registrier', 'werbeblocker', 'consenti', 'confidentialité',
    'inscri', "s'abonner", 'suscr', 'reg[ií]strate', 'privacidad', 'iscri', 'accett', 'privacidade', 'assin',
    'toestemming', 'abonneer', 'samtyck', 'prenumer', 'zgod', 'subskry', '購読', '登録', '订阅', '登录', 'подпис',
    'файлы cookie',
  ].join('|'), 'i');

  // What holds an article, whatever covers what.
  const ARTICLE = 'article, main, [role="main"], [itemprop="articleBody"]';

  /** A box with this many long paragraphs is read, not closed. */
  const MIN_PARAGRAPHS = 3;
  const LONG_PARAGRAPH = 140;

  /** The most dialogs that are looked at. */
  const MAX_DIALOGS = 100;

  /** The longest text of a box in the flow of the page, in UTF-16 units. */
  const MAX_BOX = 800;

  /** The share of the window that a box without a name must cover. */
  const MIN_COVER = 0.25;

  /** The share of the page's text above which a box is the page. */
  const MAX_SHARE = 0.5;

  const textOf = (element) => Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').get.call(element) ?? '';
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name) ?? '';
  const all = (element, selector) => Element.prototype.querySelectorAll.call(element, selector);

  function isReadable(element) {
    let count = 0;
    for (const paragraph of all(element, 'p')) {
      if (textOf(paragraph).trim().length >= LONG_PARAGRAPH) count += 1;
      if (count >= MIN_PARAGRAPHS) return true;
    }
    return false;
  }

  function holdsArticle(element) {
    if (Element.prototype.matches.call(element, ARTICLE)) return true;
    for (const part of all(element, ARTICLE)) if (textOf(part).trim().length >= LONG_PARAGRAPH) return true;
    return false;
  }

  function isDialog(element) {
    const role = attribute(element, 'role');
    return element.localName === 'dialog' || role === 'dialog' || role === 'alertdialog'
      || attribute(element, 'aria-modal') === 'true';
  }

  function covers(element, style) {
    if (style.position === 'fixed') return true;
    if (style.position !== 'absolute' && style.position !== 'sticky') return false;
    if (!(Number(style.zIndex) > 0)) return false;
    const { width, height } = Element.prototype.getBoundingClientRect.call(element);
    return width * height >= MIN_COVER * innerWidth * innerHeight;
  }

  /**
   * Returns whether an element covers the text of the page, or asks for something in the middle of it.
   * @param {Element} element
   * @param {CSSStyleDeclaration} style computed
   * @param {number} pageLength of the text of the page
   * @returns {boolean}
   */
  function isOverlay(element, style, pageLength) {
    const name = `${attribute(element, 'id')} ${attribute(element, 'class')}`.slice(0, 1_000);
    const isVendors = VENDORS.test(name);
    const isNamed = isVendors || NAMES.test(name);
    const isAbove = isDialog(element) || covers(element, style);
    if (!isNamed && !isAbove) return false;
    if (holdsArticle(element)) return false;
    const text = textOf(element).trim();
    const isMost = text.length > MAX_SHARE * pageLength;
    // The frame of an app, which holds everything.
    if (isMost && all(element, 'h1').length) return false;
    const asks = WORDS.test(text.slice(0, 2_000));
    // The lists of partners of a consent manager are longer than many articles.
    if (isVendors) return isAbove || asks;
    if (isAbove && asks && !isReadable(element)) return true;
    if (isAbove) return !isMost && !isReadable(element);
    return asks && text.length <= MAX_BOX && !isReadable(element);
  }

  /**
   * Returns the dialog in which an article is read above a list, as social networks show it. The list is no part of it.
   * @param {Element} body
   * @returns {Element | undefined}
   */
  function findReadDialog(body) {
    const dialogs = [...all(body, 'dialog[open], [role="dialog"], [aria-modal="true"]')].slice(0, MAX_DIALOGS);
    const read = dialogs.find((dialog) => isReadable(dialog) && getComputedStyle(dialog).display !== 'none');
    if (!read) return undefined;
    const others = [...all(body, 'p')].filter((paragraph) => (
      !Node.prototype.contains.call(read, paragraph) && textOf(paragraph).trim().length >= LONG_PARAGRAPH));
    return others.length < MIN_PARAGRAPHS ? read : undefined;
  }

  globalThis.lecternOverlays = { isOverlay, isDialog, isReadable, holdsArticle, findReadDialog };
})();
