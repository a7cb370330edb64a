"""The pages of the web app in a real browser, in the words of the person who uses them."""

import pytest
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    JavascriptException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import extension_chromium
from support.client import wait_until

PHONE, DESK = (360, 740), (1280, 900)

# Seconds between two looks at a page that is about to change. One look takes a hundredth of a second.
LOOK_EVERY = 0.03

# The first visible element of a selector that holds a text (null: any). In one script call, because the page may change
# between two, and because WebDriver's own questions for visibility and text cost far more.
VISIBLE = """
    const [selector, text] = arguments;
    return [...document.querySelectorAll(selector)].find((element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
            && (text === null || element.innerText.includes(text)));
"""

# Signs in on the server from a page of its origin and stores the session as web/shared/api/session.js does, so that
# the next page is opened as the user.
SIGN_IN = """
    const [email, password, apikey, done] = arguments;
    localStorage.clear();
    sessionStorage.clear();
    fetch('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', apikey },
        body: JSON.stringify({ email, password }),
    }).then((response) => response.json()).then((grant) => {
        localStorage.setItem('session', JSON.stringify({
            access: grant.access_token,
            refresh: grant.refresh_token,
            until: Date.now() + grant.expires_in * 1000,
            user: grant.user.id,
        }));
        done(null);
    }).catch((error) => done(String(error)));
"""

# Controls too low for a thumb. Found in one script call, because the page may change between two.
LOW = """
    return [...document.querySelectorAll(arguments[0] ?? 'button, #bar a')]
        .filter((control) => control.checkVisibility({ visibilityProperty: true }) && control.getBoundingClientRect().height < 40)
        .map((control) => control.outerHTML);
"""

# Resolves once the window has a size and the page has been told: it is told of it before its next frame is drawn.
RESIZED = """
    const [width, height, done] = arguments;
    const look = () => innerWidth === width && innerHeight === height
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(null))) : setTimeout(look, 5);
    look();
"""

# Text with less contrast to its background than WCAG AA requires (4.5, or 3 for large text).
CONTRAST = """
    const channel = (value) => { value /= 255; return value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; };
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = ([red, green, blue]) => .2126 * channel(red) + .7152 * channel(green) + .0722 * channel(blue);
    const behind = (element) => {
        for (; element; element = element.parentElement) {
            const colour = parts(getComputedStyle(element).backgroundColor);
            if (colour.length === 3 || colour[3] > 0) return colour;
        }
        return [255, 255, 255];
    };
    const bad = [];
    for (const element of document.querySelectorAll('body *')) {
        const style = getComputedStyle(element);
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!hasText || !element.checkVisibility({ visibilityProperty: true })) continue;
        const [one, other] = [light(parts(style.color)), light(behind(element))].sort((a, b) => b - a);
        const ratio = (one + .05) / (other + .05), large = parseFloat(style.fontSize) >= 24;
        if (ratio < (large ? 3 : 4.5)) bad.push(`${element.tagName} ${element.textContent.slice(0, 40)} ${ratio.toFixed(2)}`);
    }
    return bad;
"""


# What the database of the browser has in one of its stores, for all users.
STORED = """
    const [store, done] = arguments;
    const result = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
    (async () => {
        const rows = [];
        for (const { name } of await indexedDB.databases()) {
            const database = await result(indexedDB.open(name));
            if (database.objectStoreNames.contains(store)) {
                rows.push(...await result(database.transaction(store).objectStore(store).getAll()));
            }
            database.close();
        }
        done(rows);
    })();
"""


CHOOSE = """
    const [field, text] = arguments;
    field.selectedIndex = [...field.options].findIndex((option) => option.text.startsWith(text));
    if (field.selectedIndex < 0) throw Error(text);
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
"""


class ListPage:
    """The page at / in a browser: the list and the reader view."""

    def __init__(self, url, driver):
        self.url, self.driver = url, driver

    def size(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        self.driver.execute_async_script(RESIZED, width, height)

    def colours(self, scheme):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )

    def open(self, place=""):
        own = extension_chromium.IS_WANTED and extension_chromium.place_of(self.driver, place)
        self.driver.get(own or f"{self.url}/{place}")

    def start(self):
        """Opens the page as on the first visit."""
        self.only_on_the_server("the extension signs in in its options")
        self.leave()
        self.script("localStorage.clear(); sessionStorage.clear()")
        self.driver.get(self.url)

    def only_on_the_server(self, why):
        """Skips the test on the reading list of the extension."""
        if extension_chromium.IS_WANTED:
            pytest.skip(why)

    @property
    def folder(self):
        """The path of the web app, for modules that a test imports."""
        return "/web" if extension_chromium.IS_WANTED else ""

    def settled(self):
        """Waits until every section of the page is loaded, so that nothing moves any more."""
        wait_until(lambda: self.all(".rows") and not self.all("[aria-busy=true]"))

    def leave(self):
        """Opens a file without scripts, from which storage is reached, and forgets what the console has shown."""
        own = extension_chromium.IS_WANTED and f"{self.driver.extension}/manifest.json"
        self.driver.get(own or f"{self.url}/icon.svg")
        self.console_errors()

    def sign_in(self, user, place=""):
        """Opens a page as this user. The form for it has tests of its own, and takes seconds of drawing and typing."""
        self.leave()
        if extension_chromium.IS_WANTED:
            self.driver.get(f"{self.driver.extension}/options/index.html")
            script, last = extension_chromium.SIGN_IN, user.password
            failure = self.driver.execute_async_script(script, user.lectern.url, user.email, last)
        else:
            failure = self.driver.execute_async_script(SIGN_IN, user.email, user.password, user.lectern.anon_key)
        assert failure is None, failure
        self.open(place)

    def to_list(self, user):
        self.sign_in(user)
        self.see("#list")
        self.list_is_loaded()

    def list_is_loaded(self):
        """Waits until the list is as the server has it. Before, it may be as it was left."""
        wait_until(lambda: self.all("#links[aria-busy=false]"), every=LOOK_EVERY)

    def refresh_list(self):
        self.driver.refresh()
        self.list_is_loaded()

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def see(self, selector, text=None, seconds=150):
        """The first visible element of this kind that holds this text."""

        def probe():
            try:
                return self.script(VISIBLE, selector, text)
            except JavascriptException:
                return None  # The page was left while the script ran.

        return wait_until(probe, seconds, LOOK_EVERY)

    def gone(self, selector, text=None):
        def probe():
            try:
                return self.script(VISIBLE, selector, text) is None
            except JavascriptException:
                return False

        wait_until(probe, every=LOOK_EVERY)

    def stored(self, store):
        return self.driver.execute_async_script(STORED, store)

    def press(self, *keys):
        """Presses keys on the element that has the focus. A dialog that is being closed may still have it; then nothing was
        pressed, and the keys go to what has the focus next."""
        self.when_steady(lambda: self.driver.switch_to.active_element.send_keys(*keys))

    def focused(self):
        return self.driver.switch_to.active_element

    def enter(self, email, password, create=False):
        self.see("[name=email]").send_keys(email)
        self.see("[name=password]").send_keys(password)
        self.see("[value=signup]" if create else "#login .strong").click()

    def card(self, text):
        # The buttons of a card have names as soon as the page answers them.
        return self.see("#links li:has([data-do=star][aria-label])", text)

    def press_on_card(self, text, action):
        self.click_when_steady(lambda: self.card(text).find_element(By.CSS_SELECTOR, f"[data-do={action}]"))

    def open_card(self, text):
        """Follows the link of a card."""
        self.click_when_steady(lambda: self.card(text).find_element(By.CSS_SELECTOR, "h2 a"))

    def click_when_steady(self, find):
        """Clicks what `find` returns. The page may replace the element in between; then nothing was clicked, and it is
        found again."""

        self.when_steady(lambda: self.click(find()))

    def when_steady(self, act):
        """Does something with an element. If the page replaces or moves the element in between, nothing was done, and it
        is done again."""

        def is_done():
            try:
                act()
                return True
            except (StaleElementReferenceException, ElementNotInteractableException, ElementClickInterceptedException):
                return False

        wait_until(is_done, every=LOOK_EVERY)

    def click(self, element):
        element.click()

    def save(self, url):
        field = self.see("[name=url]")
        field.clear()
        field.send_keys(url, Keys.ENTER)

    def titles(self):
        # In one script call, because the page may replace the list between two. What is far from the screen is not laid
        # out and has no `innerText`.
        return self.script(
            "return [...document.querySelectorAll('#links li:not([hidden]) h2')].map((one) => one.textContent.trim())"
        )

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def console_errors(self):
        """What the console has shown since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "DEBUG"]

    def choose(self, field, text):
        """Chooses the option of a list whose text begins like this. Of several keys, the browser forgets the first ones
        when the next one is late."""
        self.script(CHOOSE, field, text)


class AccountPage(ListPage):
    """The account page in a browser."""

    def to_account(self, user):
        self.sign_in(user, "account/")
        self.see("#email", user.email)
        self.settled()

    def click(self, element):
        """Clicks after scrolling the element to the middle, where neither the header nor the toast covers it."""
        self.script("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()

    def unfold(self, form):
        details = self.driver.find_element(By.ID, form).find_element(By.XPATH, "./ancestor::details")
        if not details.get_attribute("open"):
            self.click(details.find_element(By.TAG_NAME, "summary"))
        return self.see(f"#{form}")

    def fill(self, form, **values):
        for name, value in values.items():
            field = self.see(f"#{form} [name={name}]")
            field.clear()
            field.send_keys(value)

    def send(self, form):
        self.click(self.see(f"#{form} .strong"))

    def field_error(self, form, field, text):
        """The error beside a field, which the field refers to."""
        said = self.see(f"#{form} .field-error", text)
        field = self.see(f"#{form} [name={field}]")
        assert field.get_attribute("aria-invalid") == "true"
        assert field.get_attribute("aria-describedby") == said.get_attribute("id")
        return said.text

    def rows(self, section):
        # In one script call, because the page may replace the list between two.
        return self.script(
            "return [...document.querySelectorAll(`#${arguments[0]} .rows li`)]"
            ".filter((row) => row.checkVisibility()).map((row) => row.innerText)",
            section,
        )

    def show_all_users(self):
        self.settled()
        is_there = lambda: self.script(VISIBLE, "#more-users", None) is not None
        while is_there():
            before = len(self.rows("users"))
            self.click(self.see("#more-users"))
            # Nothing more is loaded if the previous page was the last one and exactly full.
            wait_until(lambda: len(self.rows("users")) > before or not is_there())

    def row(self, section, text):
        return self.see(f"#{section} .rows li", text)

    def press_in_row(self, section, text, button):
        def find():
            return self.script(
                "return [...arguments[0].querySelectorAll('button, a')]"
                ".find((one) => one.innerText.trim() === arguments[1])",
                self.row(section, text),
                button,
            )

        self.click_when_steady(find)

    def answer_question(self, text, button):
        self.script(
            "window.isAnswered = false;"
            "arguments[0].addEventListener('close', () => { window.isAnswered = true }, { once: true })",
            self.see("#confirm", text),
        )
        self.see("#confirm button", button).click()
        # The page is told with the next frame. Until then, the button that has asked ignores clicks.
        wait_until(lambda: self.script("return window.isAnswered"), every=LOOK_EVERY)

    def follow(self, link):
        """Opens a link from a mail in an empty tab."""
        self.driver.get("about:blank")
        self.driver.get(link)

    def stored(self):
        return self.script("return JSON.stringify([{...localStorage}, {...sessionStorage}])")


def watched(browser, open_page):
    """The page in desktop size and light colours, opened by `open_page`. At the end the console must be empty, which also
    shows that nothing violated the Content-Security-Policy."""
    browser.size(*DESK)
    browser.colours("light")
    open_page()
    yield browser
    errors = browser.console_errors()
    assert errors == [], errors
