"""Pages whose article is covered, hidden, or put together by the browser, with the paragraphs of each article.

Each page is an article of its own words, so that a test can tell the article from what covers it.
"""

import hashlib
import html

COVER = "position:fixed;inset:0;z-index:9999;background:#fff"
BAR = "position:fixed;left:0;right:0;bottom:0;z-index:9999;background:#eee"
BOX = "position:fixed;top:20%;left:20%;width:60%;z-index:9999;background:#fff"

SUBJECTS = "harbour lantern orchard violin glacier monastery printing-press lighthouse caravan observatory".split()
VERBS = "describes remembers measures restores abandons repairs surveys visits paints forgets".split()
OBJECTS = "the northern valley;an old timetable;three broken clocks;the winter market;a box of letters".split(";")

CONSENT = "<h2>We value your privacy</h2><p>We and our 845 partners store cookies on your device.</p><button>Accept all</button><button>Reject</button>"
CONSENT_DE = "<h2>Ihre Privatsphäre</h2><p>Wir und unsere Partner verwenden Cookies. Ihre Einwilligung zählt.</p><button>Zustimmen</button>"
CONSENT_FR = "<h2>Votre vie privée</h2><p>Avec votre consentement, nos partenaires et nous utilisons des cookies.</p><button>Accepter</button>"
NEWSLETTER = '<h3>Get our newsletter</h3><p>Subscribe and never miss a story.</p><form><input type="email"><button>Sign up</button></form>'
PAYWALL = "<h3>Keep reading</h3><p>Subscribe to continue reading. Already a subscriber? Log in.</p><button>Start your free trial</button>"
REGISTER = "<h3>Create an account</h3><p>Register for free to read unlimited articles.</p><button>Register</button>"
ADBLOCK = (
    "<h3>Ad blocker detected</h3><p>Please disable your ad blocker to support our journalism.</p><button>Done</button>"
)
NOTIFY = "<p>Enable notifications to get breaking stories first.</p><button>Allow</button><button>Later</button>"
APP = "<p>This site is better in the app.</p><button>Open the app</button><button>Not now</button>"
PARTNERS = "".join(
    f"<li>Vendor {n} Ltd. processes cookies for a legitimate interest for {n} days.</li>" for n in range(300)
)


def paragraphs(name, count=7):
    """Paragraphs that no other page has."""
    words = iter(hashlib.shake_128(name.encode()).digest(256))

    def sentence():
        subject, verb, thing = SUBJECTS[next(words) % 10], VERBS[next(words) % 10], OBJECTS[next(words) % 5]
        return f"The {subject} of {name.replace('-', ' ')} {verb} {thing} in the year {1500 + next(words)}."

    return [" ".join(sentence() for _ in range(4)) for _ in range(count)]


def body_of(name, tag="article"):
    texts = "".join(f"<p>{html.escape(text)}</p>" for text in paragraphs(name))
    return f"<{tag}><h1>About {name}</h1>{texts}</{tag}>"


def page(name, body, head=""):
    return f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>About {name}</title>{head}</head><body>{body}</body></html>'


def over(name, style, inner, attributes="", tag="article"):
    return page(name, f'{body_of(name, tag)}<div style="{style}" {attributes}>{inner}</div>')


def split(name, middle, hides=False, tag="article"):
    """The article with something after its second paragraph, and the rest hidden or not."""
    texts = [f"<p>{html.escape(text)}</p>" for text in paragraphs(name)]
    rest = "".join(texts[2:])
    rest = f'<div style="display:none">{rest}</div>' if hides else rest
    return page(name, f"<{tag}><h1>About {name}</h1>{''.join(texts[:2])}{middle}{rest}</{tag}>")


def with_script(name, script, markup='<div id="host"></div>'):
    texts = [f"<p>{html.escape(text)}</p>" for text in paragraphs(name)]
    quoted = "[" + ",".join("`" + text + "`" for text in texts) + "]"
    return page(
        name,
        f"<h1>About {name}</h1>{markup}<script>const texts = {quoted}, host = document.getElementById('host');{script}</script>",
    )


def frame(name, around="", inside=""):
    inner = page(name, body_of(name) + inside).replace("&", "&amp;").replace('"', "&quot;")
    return page(name, f'{around}<iframe srcdoc="{inner}" width="800" height="900"></iframe>')


SHADOW = "host.attachShadow({ mode: '%s' }).innerHTML = `<style>p { color: red }</style><article>${texts.join('')}</article>`"
SLOTS = """host.innerHTML = texts.join('');
    host.attachShadow({ mode: 'open' }).innerHTML = '<div>Menu</div><article><slot></slot></article>'"""
NESTED = """class Block extends HTMLElement { connectedCallback() {
        this.attachShadow({ mode: 'closed' }).innerHTML = `<p>${this.getAttribute('text')}</p>` } }
    customElements.define('text-block', Block);
    const article = document.createElement('article');
    for (const text of texts) {
        const block = document.createElement('text-block');
        block.setAttribute('text', text.slice(3, -4));
        article.append(block);
    }
    host.attachShadow({ mode: 'open' }).append(article)"""
DIALOG = "<script>document.querySelector('dialog').showModal()</script>"
FEED = "".join(
    f"<div class='item'><h3>Teaser {n}</h3><p>A short teaser of something else, number {n}.</p></div>"
    for n in range(12)
)

PAGES = {
    # Consent
    "consent-bar": lambda n: over(n, BAR, CONSENT),
    "consent-cover": lambda n: over(n, COVER, CONSENT),
    "consent-onetrust": lambda n: over(n, BAR, CONSENT, 'id="onetrust-consent-sdk"'),
    "consent-partners": lambda n: over(n, COVER, f"{CONSENT}<ul>{PARTNERS}</ul>", 'class="qc-cmp2-container"'),
    "consent-partners-unnamed": lambda n: over(
        n, BOX, f"{CONSENT}<ul>{PARTNERS}</ul>", 'role="dialog" aria-modal="true"'
    ),
    "consent-german": lambda n: over(n, BAR, CONSENT_DE, 'class="cookie-layer"', "div"),
    "consent-french": lambda n: over(n, COVER, CONSENT_FR, tag="div"),
    "consent-absolute": lambda n: over(n, "position:absolute;top:0;left:0;width:100%;height:60vh;z-index:50", CONSENT),
    "consent-in-flow": lambda n: page(n, f'<div id="cookie-consent">{CONSENT}</div>{body_of(n)}'),
    "consent-dialog": lambda n: page(n, f"{body_of(n)}<dialog>{CONSENT}</dialog>{DIALOG}"),
    "consent-shadow": lambda n: page(
        n,
        f"""{body_of(n)}<div id="usercentrics-root"></div><script>
        document.getElementById('usercentrics-root').attachShadow({{ mode: 'open' }}).innerHTML = `<div style="{COVER}">{CONSENT}</div>`
        </script>""",
    ),
    "consent-hides-all": lambda n: page(
        n, f'<div class="consent" style="{COVER}">{CONSENT}</div><div style="display:none">{body_of(n, "div")}</div>'
    ),
    # Newsletters
    "newsletter-popup": lambda n: over(n, BOX, NEWSLETTER, 'class="popup"'),
    "newsletter-in-article": lambda n: split(n, f'<div class="newsletter-signup">{NEWSLETTER}</div>'),
    "newsletter-sticky": lambda n: page(
        n,
        f'{body_of(n)}<aside style="position:sticky;bottom:0;z-index:3;height:40vh;background:#fff">{NEWSLETTER}</aside>',
    ),
    # Paywalls
    "paywall-cover": lambda n: over(
        n, "position:fixed;bottom:0;height:70%;width:100%;z-index:99;background:#fff", PAYWALL
    ),
    "paywall-hides-rest": lambda n: split(n, f'<div class="paywall-prompt">{PAYWALL}</div>', hides=True),
    "paywall-hides-rest-unmarked": lambda n: split(n, f'<div class="regwall">{PAYWALL}</div>', hides=True, tag="div"),
    "paywall-cut": lambda n: page(
        n, f'<div style="max-height:120px;overflow:hidden">{body_of(n)}</div><div class="piano-paywall">{PAYWALL}</div>'
    ),
    "paywall-blur": lambda n: over(n, BOX, PAYWALL).replace(
        "<article>", '<article style="filter:blur(8px)" aria-hidden="true">'
    ),
    "paywall-class-of-the-text": lambda n: page(
        n, f'<article><h1>About {n}</h1><div class="paywall">{body_of(n, "div")}</div></article>'
    ),
    # Dialogs
    "modal-register": lambda n: over(n, COVER, REGISTER, 'role="dialog" aria-modal="true"'),
    "modal-ad-blocker": lambda n: over(n, COVER, ADBLOCK, 'class="overlay"'),
    "modal-notifications": lambda n: over(n, "position:fixed;top:0;z-index:5", NOTIFY, tag="div"),
    "modal-app": lambda n: over(n, BAR, APP, 'class="smart-banner"', "div"),
    "modal-with-article": lambda n: page(
        n, f'<div class="feed">{FEED}</div><div role="dialog" aria-modal="true" style="{BOX}">{body_of(n, "div")}</div>'
    ),
    "app-shell": lambda n: page(
        n,
        f'<div id="app" style="position:fixed;inset:0;overflow:auto"><a href="#">Sign in</a>{body_of(n, "div")}</div>',
    ),
    # Put together by the browser
    "shadow-open": lambda n: with_script(n, SHADOW % "open"),
    "shadow-closed": lambda n: with_script(n, SHADOW % "closed"),
    "shadow-slots": lambda n: with_script(n, SLOTS),
    "shadow-nested": lambda n: with_script(n, NESTED),
    "frame": lambda n: frame(n),
    "frame-covered-inside": lambda n: frame(n, inside=f'<div style="{BAR}">{CONSENT}</div>'),
    "frame-covered": lambda n: frame(n, f'<div style="{BAR}">{CONSENT}</div>'),
}


def pages():
    """The name of each page with its HTML."""
    return {name: make(name) for name, make in PAGES.items()}
