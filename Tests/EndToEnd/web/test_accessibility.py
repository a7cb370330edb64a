"""Every page and state is checked by axe-core, in both colour schemes, on the phone and on the desktop."""

import pytest
from selenium.webdriver.common.keys import Keys

from support.axe import AXE, CHECK
from support.browser import DESK, PHONE, AccountPage
from support.client import wait_until
from support.exports_of_services import FILES

ARTICLE = """<html lang=en><head><title>An article</title></head><body><article><h1>An article</h1>
<p>{}</p><h2>A heading</h2><p>Text.</p><h3>A part</h3><p>Text.</p>
<h2>Another heading</h2><p><a href="https://example.org/">A link</a> and <code>code</code>.</p>
<blockquote><p>A quotation.</p></blockquote><table><tr><th>Name</th><th>Value</th></tr><tr><td>One</td><td>1</td></tr>
</table><pre>let one = 1</pre></article></body></html>""".format("Words that fill a paragraph of an article. " * 30)


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return AccountPage(lectern.url, chromium)


def violations(page):
    """What axe-core finds in the page as it is shown, with names of the size and colours in which it does."""
    found = []
    for size_name, size in (("phone", PHONE), ("desk", DESK)):
        page.size(*size)
        for scheme in ("light", "dark"):
            page.colours(scheme)
            # No colour is measured in the middle of a transition.
            page.script("document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())")
            if page.script("return typeof axe") == "undefined":
                page.script(AXE)
            found += [f"{size_name}, {scheme}: {one}" for one in page.driver.execute_async_script(CHECK)]
    return found


def set_up_links(user):
    for title in ["Third", "Second", "First"]:
        user.save(f"no address {title}", title=title)
    tag = user.rest("POST", "tags", {"name": "a tag"}, prefer="return=representation").json()[0]
    link = user.links("title=eq.First")[0]["id"]
    user.rest("POST", "link_tags", {"link_id": link, "tag_id": tag["id"]})
    user.rest("POST", "collections", {"name": "A collection"})


def press(page, selector):
    page.script("document.querySelector(arguments[0]).click()", selector)


# Each opens a state; the page then shows it.


def signed_out(page, user):
    page.start()
    page.see("#sign-in")


def empty_list(page, user):
    page.to_list(user)
    wait_until(lambda: page.all("#list p:not([hidden])"))


def full_list(page, user):
    set_up_links(user)
    page.to_list(user)
    page.card("First")


def selected_links(page, user):
    full_list(page, user)
    press(page, "#links [data-select]")
    page.see("#selection")


def link_dialog(page, user):
    full_list(page, user)
    press(page, "#links [data-do=more]")
    page.see("dialog[open]")


def shortcuts(page, user):
    full_list(page, user)
    press(page, "#keys")
    page.see("#help")


def deleted_link(page, user):
    full_list(page, user)
    press(page, "#links [data-do=delete]")
    page.see("#toast")


def search(page, user):
    full_list(page, user)
    page.see("[name=q]").send_keys("is:unread", Keys.ENTER)
    page.card("First")


def trash(page, user):
    set_up_links(user)
    user.rest("DELETE", "links?title=eq.First")
    page.sign_in(user, "#/trash")
    page.see("#trash li", "First")


def empty_trash(page, user):
    page.sign_in(user, "#/trash")
    page.see("#trash")


def article(page, user, html=ARTICLE):
    body = {"url": "http://127.0.0.2/accessible", "title": "An article", "html": html}
    link = user.settled(user.rest("POST", "rpc/save_page", body).json()[0]["id"])
    page.sign_in(user, f"#/link/{link['id']}")
    page.see("#reader .body p")


def text_settings(page, user):
    article(page, user)
    press(page, "[aria-label='Text settings']")
    page.see("#text-settings")


def highlights(page, user):
    article(page, user)
    [link] = user.links()
    user.rest("POST", "highlights", {"link_id": link["id"], "quote": "A quotation.", "note": "A note"})
    user.rest("POST", "notes", {"link_id": link["id"], "body": "A note on the article"})
    tag = user.rest("POST", "tags", {"name": "a tag"}, prefer="return=representation").json()[0]
    user.rest("POST", "link_tags", {"link_id": link["id"], "tag_id": tag["id"]})
    page.driver.refresh()
    page.see("#reader .body mark")
    press(page, "#reader [aria-label=Highlights]")
    page.see("#highlights li")


def highlight_editor(page, user):
    highlights(page, user)
    press(page, ".body mark")
    page.see("#highlight-editor")


def listening(page, user):
    article(page, user)
    page.script("speechSynthesis.speak = () => {}")
    press(page, "#reader [aria-label=Listen]")
    page.see("#listening")


def enlarged_picture(page, user):
    article(page, user)
    page.script("""
        const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 200 });
        document.querySelector('.body').prepend(Object.assign(new Image(), { src: canvas.toDataURL(), alt: 'A lake' }));
    """)
    page.see(".body [data-enlargeable]")
    press(page, ".body [data-enlargeable]")
    page.see("#lightbox")


def account(page, user):
    page.to_account(user)


def pairing(page, user):
    account(page, user)
    press(page, "#pair-device button")
    page.see("#pairing-code")


def pair(page, user):
    page.open("pair/#AAAAA-AAAAA")
    page.see("#claim-code")


def developer(page, user):
    page.open("developer/")
    page.see("table")


def queue(page, user):
    page.sign_in(user, "queue/")
    page.see("main")
    wait_until(lambda: not page.all("[aria-busy=true]"))


def settings(page, user):
    page.sign_in(user, "settings/")
    page.see("#settings")


def debug_log(page, user):
    settings(page, user)
    press(page, "#debug [name=debug]")
    page.see("#debug pre", "page /settings/")


def footnote(page, user):
    marked = ARTICLE.replace("A link</a>", "A link</a><sup><a href='#n1'>1</a></sup>")
    article(page, user, marked.replace("</article>", "<ol><li id=n1>The note at the end.</li></ol></article>"))
    press(page, "#reader .body sup a")
    page.see("#footnote", "The note at the end.")


def save_page(page, user):
    page.sign_in(user, "save?url=http://127.0.0.2/&title=A+page&tags=one")
    page.see("#save-page")


def saved_page(page, user):
    save_page(page, user)
    press(page, "#save-page .strong")
    page.see("#result")


def digest(page, user):
    set_up_links(user)
    user.rest("PATCH", "links?title=eq.First", {"list": "archive", "is_starred": True})
    page.sign_in(user, "digest/")
    page.choose(page.see("#digest [name=period]"), "The last seven days")
    page.see("#preview", "First")


def held_import(page, user):
    page.sign_in(user, "import/")
    page.see("#choose")
    name, content, _ = FILES["karakeep"]
    page.script(
        "const transfer = new DataTransfer(); transfer.items.add(new File([arguments[1]], arguments[0]));"
        "document.dispatchEvent(new DragEvent('drop', { cancelable: true, dataTransfer: transfer }))",
        name,
        content.decode(),
    )
    page.see("#found h2", name)


STATES = [
    signed_out, empty_list, full_list, selected_links, link_dialog, shortcuts, deleted_link, search, trash, empty_trash,
    article, footnote, text_settings, highlights, highlight_editor, listening, enlarged_picture, account, pairing,
    pair, developer, queue, settings, debug_log, save_page, saved_page, digest, held_import,
]  # fmt: skip


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_axe_finds_nothing_to_mend(browser, alice, state):
    state(browser, alice)
    found = violations(browser)
    assert not found, "\n".join(found)
