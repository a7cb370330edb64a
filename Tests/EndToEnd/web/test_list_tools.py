"""What the list offers beyond its rows: cards, selecting, filing, the sidebar, finding and the trash."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import service
from support.browser import CONTRAST, DESK, LOW, PHONE, ListPage, watched
from support.client import wait_until
from support.held_responses import IS_HELD, answer_busy, hold_first, hold_method, release, type_while_sending
from support.reader import send_page


@pytest.fixture(scope="module")
def browser(lectern, chromium):
    return ListPage(lectern.url, chromium)


@pytest.fixture
def page(browser, alice):
    for number, title in enumerate(["Third", "Second", "First"]):
        alice.save(f"no address {number}", title=title)
    yield from watched(browser, lambda: to_list_tools(browser, alice))


def to_list_tools(page, user):
    """Opens the list, until the sidebar has its tags: what is below them moves then."""
    page.to_list(user)
    page.see("#sidebar :is(.no-tags, .tags li)")


def row_of(user, table, **values):
    return user.rest("POST", f"{table}?select=*", values, prefer="return=representation").json()[0]


def press_button(page, scope, name):
    """Presses the visible button of this name inside an element."""
    page.click_when_steady(
        lambda: wait_until(
            lambda: next(
                (
                    button
                    for button in page.see(scope).find_elements(By.CSS_SELECTOR, "button, a, summary, [type=checkbox]")
                    if button.is_displayed() and button.accessible_name == name
                ),
                None,
            )
        )
    )


def select(page, *titles):
    for title in titles:
        page.script("arguments[0].querySelector('[data-select]').click()", page.card(title))


# Cards


def test_a_card_shows_tags_highlights_progress_and_when_it_was_saved(page, alice):
    link = alice.links("title=eq.First")[0]["id"]
    tag = row_of(alice, "tags", name="two words")
    row_of(alice, "link_tags", link_id=link, tag_id=tag["id"])
    row_of(alice, "highlights", link_id=link, quote="a passage")
    row_of(alice, "reading_progress", link_id=link, content_hash="x", percentage_complete=0.4)
    page.refresh_list()
    page.see("#links .tags a", "#two words")
    card = page.card("First")
    assert "Unknown site · just now · 1 highlight · 40% read" in card.text
    progress = card.find_element(By.TAG_NAME, "progress")
    assert (progress.accessible_name, progress.get_attribute("value")) == ("Reading progress", "0.4")
    names = [button.accessible_name for button in card.find_elements(By.CSS_SELECTOR, "button, [type=checkbox]")]
    for name in ["Select", "Mark as read", "Star for newsletter", "Archive", "Delete", "More actions"]:
        assert name in names
    assert page.see("#links").aria_role == "list" and page.see("#links").accessible_name == "Links"
    # The shelf moves the list down.
    page.see("#shelf a", "First")
    page.click_when_steady(lambda: page.card("First").find_element(By.CSS_SELECTOR, ".tags a"))
    wait_until(lambda: page.titles() == ["First"])


def test_a_link_that_is_saved_again_keeps_its_tags_on_the_card(page, alice):
    id = send_page(alice)
    tag = row_of(alice, "tags", name="river")
    row_of(alice, "link_tags", link_id=id, tag_id=tag["id"])
    alice.rest("PATCH", f"links?id=eq.{id}", {"list": "archive"})
    page.refresh_list()
    page.card("First")
    # The news of other devices would bring the tags, too.
    page.script("WebSocket.prototype.send = () => {}")
    page.save(alice.link(id)["raw_url"])
    assert "#river" in page.see("#links li:has(.tags a)", "Along the river").text
    assert page.titles()[0] == "Along the river"


def test_the_name_of_a_button_says_what_pressing_it_does(page):
    for before, after, done in [
        ("Mark as read", "Mark as unread", "Marked as read."),
        ("Star for newsletter", "Remove star", "Starred."),
    ]:
        press_button(page, "#links li", before)
        page.see("#toast.shown", done)
        # By a script: a busy machine may hide the toast between finding the button and pressing it.
        page.script("arguments[0].click()", page.see("#toast button", "Undo"))
        press_button(page, "#links li", before)
        press_button(page, "#links li", after)


def test_what_is_missing_has_its_words(page, alice):
    alice.settled(alice.save("no address 9")["id"])
    page.refresh_list()
    card = page.card("Untitled")
    assert "no address 9" in card.text and "Unknown site" in card.text


# Selecting


def test_links_are_selected_by_mouse_and_changed_together_with_undo(page, alice):
    select(page, "First", "Third")
    assert page.see("#selection .count").text == "2 selected"
    press_button(page, "#selection", "Archive")
    page.see("#toast", "Archived: 2 links.")
    # A toast with the focus stays.
    page.script("document.querySelector('#toast button').focus()")
    wait_until(lambda: page.titles() == ["Second"])
    page.gone("#selection")
    page.see("#toast button", "Undo").click()
    wait_until(lambda: sorted(page.titles()) == ["First", "Second", "Third"])
    assert alice.links("list=eq.archive") == []


def test_deleted_links_come_back_with_undo_by_the_keyboard(page, alice):
    select(page, "First", "Second")
    press_button(page, "#selection", "Delete")
    wait_until(lambda: page.titles() == ["Third"])
    assert len(alice.links()) == 1
    page.see("#toast button", "Undo")
    page.press("z")
    wait_until(lambda: sorted(page.titles()) == ["First", "Second", "Third"])


def test_the_focus_is_back_in_the_list_after_an_undo_and_after_a_change_of_all_links(page):
    page.press("j")
    title = page.focused()
    assert title.text == "First"
    page.press("s")
    undo = page.see("#toast button", "Undo")
    page.script("arguments[0].focus()", undo)
    page.press(Keys.ENTER)
    page.gone("#toast.shown", "Starred")
    assert page.focused() == title
    select(page, "First", "Second", "Third")
    archive = page.see("#selection button", "Archive")
    page.script("arguments[0].focus()", archive)
    page.press(Keys.ENTER)
    page.see("#note", "Nothing to read yet")
    wait_until(lambda: page.focused().text == "To Read")
    page.script("arguments[0].focus()", page.see("#toast button", "Undo"))
    page.press(Keys.ENTER)
    page.card("First")


def test_a_message_leaves_the_bar_of_the_selection_free_on_a_short_list(page):
    page.press_on_card("First", "star")
    page.see("#toast", "Starred.")
    # A toast with the focus stays.
    page.script("document.querySelector('#toast button').focus()")
    select(page, "Second")
    overlap = """
        const [toast, bar] = ['#toast', '#selection'].map((one) => document.querySelector(one).getBoundingClientRect());
        return bar.bottom === innerHeight && toast.bottom <= bar.top;
    """
    for size in [DESK, PHONE, (320, 640)]:
        page.size(*size)
        wait_until(lambda: page.script(overlap))


def test_a_range_is_selected_with_shift(page):
    first, *_, last = page.all("#links li")
    page.script("arguments[0].querySelector('[data-select]').click()", first)
    page.script(
        "arguments[0].querySelector('[data-select]').dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: true}))",
        last,
    )
    assert page.see("#selection .count").text == "3 selected"
    page.press(Keys.ESCAPE)
    page.gone("#selection")


def test_links_are_selected_by_keyboard(page, alice):
    page.card("First")
    page.press("j")
    page.press(Keys.SHIFT + Keys.ARROW_DOWN + Keys.NULL)
    wait_until(lambda: page.focused().text == "Second")
    assert page.see("#selection .count").text == "2 selected"
    page.press("x")
    assert page.see("#selection .count").text == "1 selected"
    press_button(page, "#selection", "Star for newsletter")
    page.see("#toast", "Starred: 1 link.")
    assert [link["title"] for link in alice.links("is_starred=is.true")] == ["First"]


def test_a_long_touch_selects_a_link(page):
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        at = page.card("Second").find_element(By.TAG_NAME, "h2").rect
        point = {"x": at["x"] + 10, "y": at["y"] + 10}
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        page.see("#selection .count", "1 selected")
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.see("#list")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_everything_that_matches_is_changed_also_what_is_not_loaded(page, alice, bob):
    bob.save("no address", title="His own")
    rows = [{"raw_url": f"no address n{number}", "title": f"Number {number}"} for number in range(60)]
    assert alice.rest("POST", "links", rows).status == 201
    page.refresh_list()
    page.card("Number")
    page.press("j", "x")
    page.see("#selection .select-all", "Select all that match (63)").click()
    page.see("#selection .count", "Everything selected")
    press_button(page, "#selection", "Add tag")
    page.see("#choose [name=tag]").send_keys("later", Keys.ENTER)
    page.see("#toast", "Added to #later: 63 links.")
    assert len(alice.rest("GET", "link_tags?select=link_id").json()) == 63
    page.see("#toast button", "Undo").click()
    page.see("#toast", "Undone")
    assert alice.rest("GET", "link_tags?select=link_id").json() == []
    assert alice.rest("GET", "tags?select=name").json() == []


def test_a_change_and_an_undo_that_take_long_say_that_they_are_running(page, alice, workers):
    def holding_writes():
        claims = f'{{"sub": "{alice.id}", "role": "authenticated"}}'
        return workers.execute(
            "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', %s, true), rest.lock_writes()",
            [claims],
        )

    select(page, "First")
    page.see("#selection .select-all").click()
    with workers.transaction():
        holding_writes()
        press_button(page, "#selection", "Star for newsletter")
        page.see("#selection .count", "Changing the links…")
    page.see("#toast", "Starred: 3 links.")
    with workers.transaction():
        holding_writes()
        page.see("#toast button", "Undo").click()
        page.see("#toast", "Undoing…")
    page.see("#toast", "Undone.")


def test_an_undo_that_can_no_longer_be_made_is_not_offered_again(page, alice, admin):
    select(page, "First")
    page.see("#selection .select-all").click()
    press_button(page, "#selection", "Archive")
    page.see("#toast", "Archived: 3 links.")
    admin.execute("delete from private.link_changes where user_id = %s", [alice.id])
    page.see("#toast button", "Undo").click()
    page.see("#toast", "This can no longer be undone.")
    assert page.all("#toast button:not([hidden])") == []
    assert page.console_errors() != []


# Filing


def test_more_actions_file_a_link_under_tags_and_collections(page, alice):
    essays = row_of(alice, "collections", name="Essays")
    row_of(alice, "tags", name="reading")
    page.press_on_card("Second", "more")
    assert page.see("#more h2").text == "Second"
    page.see("#more [name=tag]").send_keys("rea")
    wait_until(
        lambda: (
            page.script("return [...document.querySelectorAll('#more option')].map((one) => one.value)") == ["reading"]
        )
    )
    page.see("#more [name=tag]").send_keys("ding", Keys.ENTER)
    page.see("#more .tag-list", "#reading")
    page.see("#more .collection-list label", "Essays").click()
    second = alice.links("title=eq.Second")[0]["id"]
    wait_until(
        lambda: (
            alice.rest("GET", f"collection_links?collection_id=eq.{essays['id']}&select=link_id").json()
            == [{"link_id": second}]
        )
    )
    page.see("#links .tags", "#reading")
    press_button(page, "#more", "Remove tag reading")
    wait_until(lambda: alice.rest("GET", "link_tags").json() == [])
    wait_until(lambda: page.focused().get_attribute("name") == "tag")
    page.see("#more [name=collection]").send_keys("Drafts", Keys.ENTER)
    page.see("#more .collection-list label", "Drafts")
    press_button(page, "#more", "Done")
    assert page.focused().accessible_name == "More actions"
    page.gone("#links .tags", "#reading")


def test_removing_a_tag_leaves_the_focus_where_the_user_has_moved_it(page, alice):
    tag = row_of(alice, "tags", name="reading")
    row_of(alice, "link_tags", link_id=alice.links("title=eq.Second")[0]["id"], tag_id=tag["id"])
    page.press_on_card("Second", "more")
    page.see("#more .tag-list", "#reading")
    page.script("""
        const send = window.fetch;
        window.fetch = async (address, options) => {
            const answer = await send(address, options);
            if (options?.method === 'DELETE') document.querySelector('#more [name=collection]').focus();
            return answer;
        };
    """)
    press_button(page, "#more", "Remove tag reading")
    page.gone("#more .tag-list", "#reading")
    assert page.focused().get_attribute("name") == "collection"


def test_what_is_typed_while_a_tag_is_being_added_stays(page, alice):
    page.press_on_card("Second", "more")
    field = page.see("#more [name=tag]")
    type_while_sending(page, field, "one", "two")
    page.see("#more .tag-list", "#one")
    assert field.get_attribute("value") == "two"
    field.send_keys(Keys.ENTER)
    page.see("#more .tag-list", "#two")
    assert field.get_attribute("value") == ""


def test_a_late_answer_does_not_remove_a_newer_tag(page, alice):
    page.press_on_card("Second", "more")
    field = page.see("#more [name=tag]")
    page.script(hold_first("select=tags"))
    field.send_keys("one", Keys.ENTER)
    wait_until(lambda: page.script(IS_HELD), every=0.03)
    field.send_keys("two", Keys.ENTER)
    page.see("#more .tag-list", "#two")
    release(page)
    assert page.script("return document.querySelector('#more .tag-list').innerText").count("#") == 2


# The sidebar


def test_nested_collections_are_offered_below_the_one_that_they_are_in(page, alice):
    work = row_of(alice, "collections", name="Work")["id"]
    row_of(alice, "collections", name="A report", parent_id=work)
    page.press_on_card("Second", "more")
    page.see("#more .collection-list label", "A report")
    places = "return [...document.querySelectorAll('#more .collection-list span')].map((one) => [one.textContent, one.offsetLeft])"
    (outer, left), (inner, further) = page.script(places)
    assert (outer, inner) == ("Work", "A report") and further > left + 10
    page.press(Keys.ESCAPE)
    select(page, "Second")
    press_button(page, "#selection", "Add to collection")
    page.see("#choose [name=collection]")
    options = page.script(
        "return [...document.querySelector('#choose [name=collection]').options].map((one) => one.text)"
    )
    assert [option.strip() for option in options] == ["Work", "A report"]
    page.see("#choose [name=collection]").send_keys(Keys.END)
    page.see("#choose [value=yes]").click()
    page.see("#toast", "Added to A report: 1 link.")


def test_the_sidebar_shows_tags_and_collections_with_their_counts(page, alice, bob):
    row_of(bob, "tags", name="his own")
    first = alice.links("title=eq.First")[0]["id"]
    tag = row_of(alice, "tags", name="reading")
    row_of(alice, "link_tags", link_id=first, tag_id=tag["id"])
    outer = row_of(alice, "collections", name="Outer")
    row_of(alice, "collections", name="Inner", parent_id=outer["id"])
    row_of(alice, "collections", name="Asked", query="title:second or title:third")
    page.refresh_list()
    page.see("#sidebar .tags", "reading")
    texts = "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)"
    assert page.script(texts, "#sidebar .collections .name") == ["Asked", "Outer", "Inner"]
    assert page.script(texts, "#sidebar .count") == ["2", "0", "0", "1"]
    assert "his own" not in page.see("#sidebar").text
    page.click_when_steady(lambda: page.see("#sidebar a", "Asked"))
    wait_until(lambda: sorted(page.titles()) == ["Second", "Third"])
    page.see("#sidebar [aria-current=page] .name", "Asked")
    page.click_when_steady(lambda: page.see("#sidebar a", "reading"))
    wait_until(lambda: page.titles() == ["First"])
    page.see("#sidebar-toggle").click()
    page.gone("#sidebar")
    page.refresh_list()
    page.see("#sidebar-toggle[aria-expanded=false]").click()
    page.see("#sidebar")


def test_tags_and_collections_are_created_renamed_and_deleted_with_undo(page, alice):
    press_button(page, "#sidebar", "New collection")
    page.see("#folder [name=name]").send_keys("Essays", Keys.ENTER)
    page.gone("#folder")
    press_button(page, "#sidebar", "Edit Essays")
    page.see("#folder [name=query]").send_keys("is:nothing", Keys.ENTER)
    page.see("#folder [role=alert]", "cannot have the value nothing")
    page.see("#folder [name=query]").clear()
    page.see("#folder [name=name]").send_keys(" 2", Keys.ENTER)
    page.see("#sidebar a", "Essays 2")
    tag = row_of(alice, "tags", name="reading")
    for link in alice.links("select=id"):
        row_of(alice, "link_tags", link_id=link["id"], tag_id=tag["id"])
    page.refresh_list()
    press_button(page, "#sidebar", "Edit reading")
    press_button(page, "#folder", "Delete")
    page.see("#toast", "Deleted tag reading.")
    page.gone("#sidebar a", "reading")
    page.see("#toast button", "Undo").click()
    page.see("#sidebar a", "reading")
    wait_until(lambda: len(alice.rest("GET", "link_tags").json()) == 3)
    press_button(page, "#sidebar", "New tag")
    page.see("#folder [name=name]").send_keys("Reading", Keys.ENTER)
    page.see("#folder [role=alert]", "This name is taken.")
    assert all("400" in trouble or "409" in trouble for trouble in page.console_errors())


def test_no_two_collections_in_one_place_get_the_same_name(page, alice):
    essays = row_of(alice, "collections", name="Essays")["id"]
    row_of(alice, "collections", name="Drafts", parent_id=essays)
    row_of(alice, "collections", name="Asked", query="is:unread")
    page.refresh_list()
    press_button(page, "#sidebar", "New collection")
    name = page.see("#folder [name=name]")
    name.send_keys("essays", Keys.ENTER)
    page.see("#folder [role=alert]", "This name is taken.")
    # The other one is nested in a collection.
    name.clear()
    name.send_keys("Drafts", Keys.ENTER)
    page.gone("#folder")
    # The new entry takes the place of the next one.
    wait_until(lambda: len(page.all("#sidebar .collections li")) == 4)
    press_button(page, "#sidebar", "Edit Essays")
    name.clear()
    name.send_keys("asked", Keys.ENTER)
    page.see("#folder [role=alert]", "This name is taken.")
    name.clear()
    name.send_keys("ESSAYS", Keys.ENTER)
    page.gone("#folder")
    page.see("#search [name=q]").send_keys("First", Keys.ENTER)
    press_button(page, "#list-tools", "Save search")
    name.send_keys("Asked", Keys.ENTER)
    page.see("#folder [role=alert]", "This name is taken.")
    press_button(page, "#folder", "Cancel")
    # A link is put into the collection of this name, unless that fills itself.
    page.press_on_card("First", "more")
    page.see("#more .collection-list label", "ESSAYS")
    page.see("#more [name=collection]").send_keys("essays", Keys.ENTER)
    wait_until(lambda: len(page.all("#more .collection-list :checked")) == 1)
    members = alice.rest("GET", f"collection_links?collection_id=eq.{essays}&select=link_id").json()
    assert members == [{"link_id": alice.links("title=eq.First")[0]["id"]}]
    page.see("#more [name=collection]").send_keys("asked", Keys.ENTER)
    page.see("#more [role=alert]", "This name is taken.")
    names = [row["name"] for row in alice.rest("GET", "collections?select=name&order=name").json()]
    assert sorted(names) == ["Asked", "Drafts", "Drafts", "ESSAYS"]


def test_an_answer_that_arrives_late_does_not_replace_a_newer_sidebar(page, alice):
    row_of(alice, "tags", name="reading")
    page.refresh_list()
    page.see("#sidebar .tags", "reading")
    page.script(hold_first("tags[?]select=id,name,link_tags"))
    for name in ("one", "two"):
        press_button(page, "#sidebar", "New tag")
        page.see("#folder [name=name]").send_keys(name, Keys.ENTER)
        page.gone("#folder")
        wait_until(lambda: page.script(IS_HELD))
    page.see("#sidebar .tags", "two")
    shown = page.script("""
        const tags = document.querySelector('#sidebar ul.tags');
        const shown = [tags.textContent];
        new MutationObserver(() => shown.push(tags.textContent)).observe(tags, { childList: true });
        release();
        await new Promise((resolve) => setTimeout(resolve, 500));
        return shown;
    """)
    assert all("two" in text for text in shown), shown


def test_a_change_that_takes_long_is_made_once_and_leaves_the_next_dialog_alone(page, alice):
    page.script(hold_method("POST"))
    press_button(page, "#sidebar", "New collection")
    page.see("#folder [name=name]").send_keys("Essays", Keys.ENTER, Keys.ENTER)
    press_button(page, "#folder", "Cancel")
    press_button(page, "#sidebar", "New tag")
    page.see("#folder [name=name]").send_keys("reading")
    page.script("release()")
    page.see("#sidebar .collections", "Essays")
    assert page.see("#folder [name=name]").get_attribute("value") == "reading"
    assert len(alice.rest("GET", "collections").json()) == 1


def test_a_change_that_fails_after_its_dialog_was_cancelled_is_told(page):
    page.script(answer_busy("POST"))
    page.script(hold_method("POST"))
    press_button(page, "#sidebar", "New tag")
    page.see("#folder [name=name]").send_keys("reading", Keys.ENTER)
    press_button(page, "#folder", "Cancel")
    page.script("release()")
    page.see("#toast", "The server is busy.")


def test_a_tag_is_merged_into_another_one(page, alice):
    first = alice.links("title=eq.First")[0]["id"]
    row_of(alice, "tags", name="Reading")
    old = row_of(alice, "tags", name="to read")["id"]
    row_of(alice, "link_tags", link_id=first, tag_id=old)
    page.refresh_list()
    press_button(page, "#sidebar", "Edit to read")
    page.see("#folder [name=name]").clear()
    page.see("#folder [name=name]").send_keys("reading", Keys.ENTER)
    page.see("#folder [role=alert]", "This name is taken.")
    press_button(page, "#folder", "Merge the tags")
    page.gone("#sidebar a", "to read")
    assert alice.rest("GET", "tags?select=name,link_tags(link_id)").json() == [
        {"name": "Reading", "link_tags": [{"link_id": first}]}
    ]
    page.see("#links .tags", "#Reading")
    assert all("409" in trouble for trouble in page.console_errors())


def test_links_are_dragged_to_a_tag_or_a_collection_the_selected_ones_together(page, alice):
    row_of(alice, "tags", name="reading")
    row_of(alice, "collections", name="Shelf")
    row_of(alice, "collections", name="Searched", query="is:unread")
    page.refresh_list()
    page.see("#sidebar .collections", "Searched")

    def drag(title, folder):
        # The modules for dragging are loaded once the pointer is over the list.
        ActionChains(page.driver).move_to_element(page.card(title)).perform()
        page.script(f"await import('{page.folder}/list/drag-to-file.js')")
        link = page.card(title).find_element(By.CSS_SELECTOR, "h2 a")
        # By the place of the folder: the sidebar may be loaded again on the way.
        middle = "const { x, y, width, height } = arguments[0].getBoundingClientRect(); return [x + width / 2, y + height / 2]"
        x, y = wait_until(lambda: page.script(middle, page.see("#sidebar li", folder)))
        chain = ActionChains(page.driver).click_and_hold(link)
        chain.w3c_actions.pointer_action.move_to_location(int(x), int(y))
        chain.release().perform()

    drag("First", "reading")
    page.see("#toast", "Added to reading: 1 link.")
    page.see("#links li .tags", "#reading")
    page.see("#toast button", "Undo").click()
    wait_until(lambda: alice.rest("GET", "link_tags").json() == [])
    # The sidebar is loaded again, too, which replaces what links are dragged to.
    page.gone("#links li .tags", "#reading")
    page.see("#sidebar .tags .count", "0")

    select(page, "First", "Third")
    drag("Third", "Shelf")
    page.see("#toast", "Added to Shelf: 2 links.")
    members = alice.rest(
        "GET", "links?select=title,collections!inner(name)&collections.name=eq.Shelf&order=title"
    ).json()
    assert [member["title"] for member in members] == ["First", "Third"]


def test_what_is_nested_in_a_deleted_collection_stays(page, alice):
    outer = row_of(alice, "collections", name="Outer", query="title:second")["id"]
    inner = row_of(alice, "collections", name="Inner", parent_id=outer)["id"]
    first = alice.links("title=eq.First")[0]["id"]
    row_of(alice, "collection_links", collection_id=outer, link_id=first)
    page.refresh_list()
    press_button(page, "#sidebar", "Edit Outer")
    press_button(page, "#folder", "Delete")
    page.see("#toast", "Deleted collection Outer.")
    assert alice.rest("GET", "collections?select=id,parent_id").json() == [{"id": inner, "parent_id": None}]
    page.see("#toast button", "Undo").click()
    page.see("#sidebar a", "Outer")
    nested = f"collections?select=parent_id&id=eq.{inner}"
    wait_until(lambda: alice.rest("GET", nested).json() == [{"parent_id": outer}])
    # Only what was put into it is stored again, not what its query finds.
    assert alice.rest("PATCH", f"collections?id=eq.{outer}", {"query": None}).status == 204
    members = alice.rest("GET", f"collection_links?collection_id=eq.{outer}&select=link_id").json()
    assert members == [{"link_id": first}]


def test_the_sidebar_is_a_sheet_on_a_phone(page, alice):
    row_of(alice, "tags", name="reading")
    page.size(*PHONE)
    page.refresh_list()
    page.see("#links li")
    assert not page.see("#sidebar-toggle[aria-expanded=false]").get_attribute("hidden")
    page.gone("#sidebar")
    page.see("#sidebar-toggle").click()
    page.click_when_steady(lambda: page.see("#sidebar a", "reading"))
    page.gone("#sidebar")
    page.see("#note", "No link was found")


# As when the sidebar is filled while its dialog is open.
FILL_AGAIN = """
    for (const item of document.querySelectorAll('#sidebar li')) item.replaceWith(item.cloneNode(true));
"""


def test_the_focus_stays_in_the_sidebar_after_its_dialog(page, alice):
    row_of(alice, "collections", name="Essays")
    row_of(alice, "tags", name="reading")
    page.refresh_list()
    press_button(page, "#sidebar", "Edit Essays")
    page.see("#folder [name=name]").send_keys(" 2", Keys.ENTER)
    page.see("#sidebar a", "Essays 2")
    wait_until(lambda: page.focused().accessible_name == "Edit Essays 2")
    press_button(page, "#sidebar", "Edit reading")
    page.see("#folder [name=name]")
    page.script(FILL_AGAIN)
    press_button(page, "#folder", "Cancel")
    wait_until(lambda: page.focused().accessible_name == "Edit reading")
    page.refresh_list()
    press_button(page, "#sidebar", "Edit reading")
    press_button(page, "#folder", "Delete")
    page.gone("#sidebar a", "reading")
    wait_until(lambda: page.focused().accessible_name == "New tag")
    # On a phone, the dialog closes the sheet.
    page.size(*PHONE)
    page.see("#sidebar-toggle").click()
    press_button(page, "#sidebar", "Edit Essays 2")
    page.see("#folder [name=name]")
    page.press(Keys.ESCAPE)
    page.gone("#folder")
    wait_until(lambda: page.focused().get_attribute("id") == "sidebar-toggle")


# Finding


def module(page, path, call):
    """The result of a call of a module of the page, as `m`."""
    return page.driver.execute_async_script(f"const done = arguments[0]; import('{path}').then((m) => done({call}))")


def test_the_list_follows_what_is_typed_and_back_leads_to_before(page):
    box = page.see("#search input")
    box.send_keys("sec")
    page.see("#note", "No link was found")
    box.send_keys("ond")
    wait_until(lambda: page.titles() == ["Second"])
    page.see("#list-tools .found", "1 link")
    assert page.focused() == box and box.get_attribute("value") == "second"
    page.driver.back()
    wait_until(lambda: len(page.titles()) == 3)


def test_the_passage_that_was_found_is_marked_and_never_markup(page, alice):
    link = alice.links("title=eq.First")[0]["id"]
    alice.rest("POST", "notes", {"link_id": link, "body": "<b>Bold</b> & <mark>marmalade</mark> for breakfast"})
    page.see("#search input").send_keys("marmalade", Keys.ENTER)
    assert page.see("#links mark").text == "marmalade"
    assert "<b>Bold</b> & <mark>marmalade</mark> for breakfast" in page.card("First").text
    assert page.all("#links .description b") == []


def test_tags_collections_and_sites_are_suggested(page, alice):
    tag = row_of(alice, "tags", name="two words")
    row_of(alice, "link_tags", link_id=alice.links("title=eq.First")[0]["id"], tag_id=tag["id"])
    box = page.see("#search input")
    # At once, so that no answer to a part of it comes later.
    box.click()
    page.driver.execute_cdp_cmd("Input.insertText", {"text": "#tw"})
    page.see("#suggestions [role=option]", "two words")
    box.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert box.get_attribute("value") == 'tag:"two words" '
    wait_until(lambda: page.titles() == ["First"])
    page.gone("#suggestions")


def test_order_and_filters_change_the_query(page, alice):
    alice.save("http://127.0.0.2/a", title="Elsewhere")
    page.refresh_list()
    page.card("Elsewhere")
    page.all("#list-tools option[value=title]")[0].click()
    wait_until(lambda: page.titles() == ["Elsewhere", "First", "Second", "Third"])
    assert page.see("#bar [aria-current=page]").text == "To Read"
    page.see("#list-tools .filter").click()
    press_button(page, "#filters", "127.0.0.2 1")
    wait_until(lambda: page.titles() == ["Elsewhere"])
    assert page.see("#search input").get_attribute("value") == "-is:archived sort:title site:127.0.0.2"
    page.see("#list-tools .filter").click()
    press_button(page, "#filters", "127.0.0.2 1")
    page.all("#list-tools option[value='']")[0].click()
    page.see("#bar [aria-current=page]", "To Read")


def test_a_link_that_is_archived_leaves_to_read_in_every_order_and_stays_in_a_search(page, alice):
    page.all("#list-tools option[value=title]")[0].click()
    wait_until(lambda: page.titles() == ["First", "Second", "Third"])
    page.press_on_card("First", "archive")
    wait_until(lambda: page.titles() == ["Second", "Third"])
    page.see("#toast button", "Undo").click()
    wait_until(lambda: page.titles() == ["First", "Second", "Third"])
    # The search would find it in the archive.
    wait_until(lambda: alice.links("title=eq.First")[0]["list"] == "read")
    page.see("#search input").clear()
    page.see("#search input").send_keys("first", Keys.ENTER)
    wait_until(lambda: page.titles() == ["First"])
    page.press_on_card("First", "archive")
    page.see("#toast", "Moved to Archive")
    assert page.titles() == ["First"]


# Where the filters are: below their button at its side, or along the lower edge of the window.
PLACE = """
    const [panel, button] = ['#filters', '#list-tools .filter'].map((each) =>
        document.querySelector(each).getBoundingClientRect());
    return { below: Math.round(panel.top - button.bottom), aside: Math.round(panel.left - button.left),
        end: Math.round(panel.right - button.right), rest: Math.round(innerHeight - panel.bottom),
        free: document.documentElement.clientWidth - Math.round(panel.width) };
"""


def test_the_filters_open_at_their_button_or_as_a_sheet_and_escape_closes_them(page):
    def opened(size):
        page.size(*size)
        page.see("#list-tools .filter").send_keys(Keys.ENTER)
        page.see("#filters .kinds button", "Articles")
        assert page.focused().get_attribute("id") == "filters"
        place = page.script(PLACE)
        assert page.script("return document.documentElement.scrollWidth <= innerWidth")
        # The next element is the first choice.
        page.press(Keys.TAB)
        assert page.focused().text.startswith("Articles")
        page.press(Keys.ESCAPE)
        page.gone("#filters")
        assert page.focused().text == "Filter"
        return place

    place = opened(DESK)
    assert 0 <= place["below"] <= 12 and abs(place["aside"]) <= 2
    # Where there is less room it is moved, and stays within the window.
    place = opened((680, 700))
    assert 0 <= place["below"] <= 12 and place["aside"] < 0 < place["end"] and place["free"] > 0
    place = opened(PHONE)
    assert (place["rest"], place["free"]) == (0, 0)


def test_a_search_is_saved_as_a_collection_and_a_random_link_opened(page, alice):
    page.see("#search input").send_keys("title:third", Keys.ENTER)
    wait_until(lambda: page.titles() == ["Third"])
    press_button(page, "#list-tools", "Save search")
    page.see("#folder [name=name]").send_keys("The third", Keys.ENTER)
    page.see("#sidebar .smart", "The third")
    assert alice.rest("GET", "collections?select=name,query").json() == [{"name": "The third", "query": "title:third"}]
    press_button(page, "#list-tools", "Search help")
    page.see("#search-help dl", "kind:video")
    page.press(Keys.ESCAPE)
    press_button(page, "#list-tools", "Random")
    page.see("#reader h1", "Third")


def test_the_text_of_a_query_is_changed_term_by_term(page):
    for call, result in [
        ("m.withTerm('a \"b sort:x\" sort:oldest', 'sort', 'title')", 'a "b sort:x" sort:title'),
        ("m.withTerm('SITE:a.org x', 'site', '')", "x"),
        ("m.termValue('x site:\"a b\"', 'site')", "a b"),
        ("m.tagQuery('a\"b')", 'tag:"a b"'),
    ]:
        assert module(page, f"{page.folder}/list/query-text.js", call) == result, call
    for call, result in [
        ("m.completionAt('x -#re y', 6)", {"kind": "tags", "key": "#", "prefix": "re", "start": 3, "end": 6}),
        (
            "m.completionAt('in:\"my li', 9)",
            {"kind": "collections", "key": "in:", "prefix": "my li", "start": 0, "end": 9},
        ),
        ("m.completionAt('word', 4)", None),
        ("m.complete('x #re y', m.completionAt('x #re y', 5), 'read')", {"text": "x #read y", "caret": 8}),
    ]:
        assert module(page, f"{page.folder}/list/completions.js", call) == result, call
    assert module(page, f"{page.folder}/list/snippet.js", "m.snippetParts('&lt;b&gt; <mark>a &amp;lt;</mark>')") == [
        {"text": "<b> ", "isMatch": False},
        {"text": "a &lt;", "isMatch": True},
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_fits_every_screen_and_has_enough_contrast(page, alice, scheme):
    link = alice.links("title=eq.First")[0]["id"]
    for name in ["reading", "a tag with a long name of many words that goes on and on"]:
        tag = row_of(alice, "tags", name=name)
        row_of(alice, "link_tags", link_id=link, tag_id=tag["id"])
    row_of(alice, "collections", name="Essays")
    page.colours(scheme)
    page.refresh_list()
    page.see("#links .tags a")
    page.press("j", "x")
    page.see("#selection", "1 selected")

    def check(*sizes):
        for size in sizes:
            page.size(*size)
            assert page.script("return document.documentElement.scrollWidth") <= size[0]
            assert page.script(CONTRAST) == []
            assert page.script(LOW, "button, #bar a, #sidebar a, #filters button") == []

    check((320, 640), PHONE, DESK)
    for opener, dialog in [(".filter", "#filters"), (".search-help", "#search-help"), ("#sidebar-toggle", "#sidebar")]:
        page.size(*PHONE)
        page.see(f"#list-tools {opener}" if opener[0] == "." else opener).click()
        page.see(dialog)
        check((320, 640), PHONE)
        page.press(Keys.ESCAPE)
        page.gone(dialog)
    page.press_on_card("First", "more")
    page.see("#more .tag-list", "#reading")
    check((320, 640), PHONE, DESK)


# Buttons and choices whose text is broken between letters: they are higher than words alone would make them.
BROKEN = """
    const heights = (element) => {
        element.style.overflowWrap = 'normal';
        const whole = element.getBoundingClientRect().height;
        element.style.overflowWrap = '';
        return [whole, element.getBoundingClientRect().height];
    };
    return [...document.querySelectorAll('button, .choices label')].filter((one) => one.checkVisibility())
        .filter((one) => { const [whole, shown] = heights(one); return shown > whole + 1; })
        .map((one) => one.textContent);
"""


def test_text_of_twice_the_size_fits_a_phone_and_breaks_no_button(page, alice):
    link = send_page(alice)
    tag = row_of(alice, "tags", name="reading")
    row_of(alice, "link_tags", link_id=link, tag_id=tag["id"])
    for place, content in [
        ("", "#links h2"),
        (f"#/link/{link}", "#reader .article-tags input"),
        ("settings/", "#reading"),
    ]:
        page.open("icon.svg")
        page.open(place)
        page.see(content)
        page.script("document.documentElement.style.fontSize = '200%'")
        if "link" in place:
            page.see("#reader [popovertarget=text-settings]").click()
            page.see("#text-settings .choices")
        for size in [(320, 640), PHONE]:
            page.size(*size)
            assert page.script("return document.documentElement.scrollWidth") <= size[0], place
            assert page.script(BROKEN) == [], place
    page.script("document.documentElement.style.fontSize = ''")


# The trash, and what was begun


def test_deleted_links_are_restored_from_the_trash(page, alice, bob, admin):
    bob.save("no address", title="His")
    bob.rest("DELETE", "links?title=eq.His")
    alice.rest("DELETE", "links?title=in.(First,Second)")
    admin.execute(
        "update trash set deleted_at = now() - interval '80 days' where user_id = %s and title = 'First'", (alice.id,)
    )
    page.see("#sidebar a", "Trash").click()
    page.see("#trash li", "First")
    assert page.focused().text == "Trash" == page.script("return document.title")
    texts = [one.text for one in page.all("#trash .facts")]
    assert "90 days left" in texts[0] and "10 days left" in texts[1] and len(texts) == 2
    press_button(page, "#trash", "Restore First")
    page.see("#toast", "Restored: First")
    wait_until(lambda: [link["title"] for link in alice.links("title=eq.First")] == ["First"])
    assert page.focused().accessible_name == "Restore Second"
    press_button(page, "#trash", "Restore Second")
    page.see("#trash .list-status", "The trash is empty.")
    page.see("#bar a", "To Read").click()
    wait_until(lambda: sorted(page.titles()) == ["First", "Second", "Third"])


def open_long_trash(page, alice):
    """Opens the trash with 53 links, of which the first page has 50."""
    rows = [{"raw_url": f"no address n{number}", "title": f"Number {number}"} for number in range(51)]
    assert alice.rest("POST", "links", rows).status == 201
    alice.rest("DELETE", "links?title=neq.First")
    page.open("icon.svg")
    page.open("#/trash")


def test_the_trash_shows_the_next_page_once_the_first_one_is_restored(page, alice):
    open_long_trash(page, alice)
    # The keys of lists and articles do nothing here.
    page.see("#trash .more")
    page.press("ajo/")
    assert page.focused().text == "Trash"
    page.script("document.querySelectorAll('#trash li button').forEach((button) => button.click())")
    wait_until(lambda: len(page.all("#trash li")) == 3)
    page.gone("#trash .more")
    page.gone("#trash .list-status", "The trash is empty.")
    page.script("document.querySelectorAll('#trash li button').forEach((button) => button.click())")
    page.see("#trash .list-status", "The trash is empty.")


def test_the_focus_moves_to_the_last_page_of_the_trash(page, alice):
    open_long_trash(page, alice)
    page.see("#trash .more").send_keys(Keys.ENTER)
    page.gone("#trash .more")
    names = "return [...document.querySelectorAll('#trash li button')].indexOf(document.activeElement)"
    assert page.script(names) == 50


# Keeps the callbacks of timers that have not been cleared.
KEEP_TIMERS = """
    window.timers = new Map();
    const [start, stop] = [setTimeout, clearTimeout];
    window.setTimeout = (callback, ...rest) => {
        const timer = start(callback, ...rest);
        timers.set(timer, callback);
        return timer;
    };
    window.clearTimeout = (timer) => {
        timers.delete(timer);
        stop(timer);
    };
"""


def test_a_link_is_in_the_trash_as_soon_as_it_is_deleted_until_that_is_undone(page, alice):
    page.script(KEEP_TIMERS)
    page.press_on_card("First", "delete")
    page.see("#sidebar a", "Trash").click()
    page.see("#trash li", "First")
    page.see("#toast button", "Undo").click()
    page.see("#trash .list-status", "The trash is empty.")
    # Twelve seconds later, it is not deleted again. Some of them set themselves again.
    page.script("for (const callback of [...timers.values()]) callback()")
    page.see("#bar a", "To Read").click()
    page.card("First")
    # Changes are sent in their order.
    page.press_on_card("Second", "star")
    wait_until(lambda: alice.links("title=eq.Second&is_starred=is.true"))
    assert [link["title"] for link in alice.links("title=eq.First")] == ["First"]


def test_the_trash_does_not_wait_for_a_deletion_that_gets_no_answer(page, alice):
    alice.rest("DELETE", "links?title=eq.Second")
    page.gone("#links li", "Second")
    page.script(hold_method("DELETE"))
    page.press_on_card("First", "delete")
    page.see("#sidebar a", "Trash").click()
    page.see("#trash .list-status", "Loading…")
    page.see("#trash li", "Second")
    page.script("document.querySelector('#trash li button').focus(); release()")
    page.see("#trash li", "First")
    assert [heading.text for heading in page.all("#trash li h2")] == ["First", "Second"]
    assert page.focused().accessible_name == "Restore Second"


def test_a_trash_that_is_opened_again_before_a_deletion_is_answered_shows_each_link_once(page, alice):
    page.script(hold_method("DELETE"))
    page.press_on_card("First", "delete")
    page.see("#sidebar a", "Trash").click()
    page.see("#trash .list-status", "The trash is empty.")
    page.see("#bar a", "To Read").click()
    page.card("Second")
    page.see("#sidebar a", "Trash").click()
    page.see("#trash .list-status", "Loading…")
    page.script("release()")
    asked = "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/trash?')).length"
    # A machine that takes longer than the trash waits for the deletion asks once more.
    wait_until(lambda: page.script(asked) >= 3)
    page.see("#trash li", "First")
    assert [heading.text for heading in page.all("#trash li h2")] == ["First"]


def test_an_error_is_not_shown_for_another_link(page):
    page.script(answer_busy("POST"))
    page.script(hold_method("POST"))
    page.press_on_card("First", "more")
    page.see("#more [name=tag]").send_keys("reading", Keys.ENTER)
    press_button(page, "#more", "Done")
    page.press_on_card("Second", "more")
    page.see("#more h2", "Second")
    page.script("release()")
    page.see("#toast", "The server is busy.")
    assert page.see("#more").find_element("css selector", "[role=alert]").text == ""


def test_a_deletion_that_is_being_sent_can_be_undone(page, alice):
    page.script(hold_method("DELETE"))
    page.press_on_card("First", "delete")
    page.see("#sidebar a", "Trash").click()
    page.see("#trash .list-status", "The trash is empty.")
    page.see("#toast button", "Undo").click()
    page.script("release()")
    addresses = "return performance.getEntriesByType('resource').map(({ name }) => name)"
    wait_until(lambda: any("rpc/restore_link" in each for each in page.script(addresses)))
    page.see("#bar a", "To Read").click()
    page.card("First")
    assert [link["title"] for link in alice.links("title=eq.First")] == ["First"]


@pytest.mark.parametrize("days, left, told", [("7", "7 days left", "After 7 days they are deleted"), ("0", "", "")])
def test_the_trash_shows_the_days_that_the_server_keeps_deleted_links(chromium, days, left, told):
    server = service.shared(LECTERN_TRASH_DAYS=days)
    user = server.sign_up()
    user.save("no address", title="First")
    user.rest("DELETE", "links?title=eq.First")
    page = ListPage(server.url, chromium)
    page.sign_in(user, "#/trash")
    facts = page.see("#trash li .facts", "Deleted").text
    assert left in facts and ("left" in facts) == bool(left)
    hint = page.see("#trash > p").text
    assert told in hint and ("for good" in hint) == bool(told)


def test_what_was_begun_is_on_a_shelf_above_to_read(page, alice):
    link = alice.links("title=eq.Second")[0]["id"]
    other = alice.links("title=eq.First")[0]["id"]
    row_of(alice, "reading_progress", link_id=link, content_hash="x", percentage_complete=0.5)
    row_of(alice, "reading_progress", link_id=other, content_hash="y", percentage_complete=1)
    page.refresh_list()
    page.see("#shelf a", "Second")
    assert len(page.all("#shelf a")) == 1 and "50% read" in page.see("#shelf a").text
    page.see("#bar a", "Archive").click()
    page.gone("#shelf")
    page.see("#bar a", "To Read").click()
    page.click_when_steady(lambda: page.see("#shelf a", "Second"))
    page.see("#reader h1", "Second")
    page.script("localStorage.setItem('list-options', JSON.stringify({ shelf: false }))")
    page.press(Keys.ESCAPE)
    page.see("#links")
    page.gone("#shelf")


def test_a_link_that_leaves_to_read_leaves_the_shelf_until_that_is_undone(page, alice):
    for title in ["Second", "Third"]:
        link = alice.links(f"title=eq.{title}")[0]["id"]
        row_of(alice, "reading_progress", link_id=link, content_hash=title, percentage_complete=0.5)
    page.refresh_list()
    shelf = lambda: [one.text for one in page.all("#shelf .title") if one.is_displayed()]
    wait_until(lambda: sorted(shelf()) == ["Second", "Third"])
    page.press_on_card("Second", "archive")
    wait_until(lambda: shelf() == ["Third"])
    page.press_on_card("Third", "delete")
    page.gone("#shelf")
    page.see("#toast button", "Undo").click()
    wait_until(lambda: shelf() == ["Third"])


def test_each_list_keeps_its_place_and_is_up_to_date_when_it_is_shown_again(page, alice):
    rows = [{"raw_url": f"no address n{number}", "title": f"Number {number}"} for number in range(40)]
    assert alice.rest("POST", "links", rows).status == 201
    # Cards of links that are being fetched change their height.
    wait_until(lambda: alice.links("select=id&state=eq.pending") == [])
    page.refresh_list()
    page.card("Number")
    page.see("#bar a", "Archive").click()
    page.see("#note", "The archive is empty")
    page.see("#bar a", "To Read").click()
    page.card("Number")
    page.script("scrollTo(0, 2000)")
    row = "return document.elementFromPoint(innerWidth / 2, 450)?.closest('[data-id]')?.dataset.id"
    before = page.script(row)
    assert before
    page.see("#bar a", "Archive").click()
    page.see("#note", "The archive is empty")
    alice.rest("PATCH", "links?title=eq.First", {"list": "archive"})
    page.card("First")
    page.see("#bar a", "To Read").click()
    wait_until(lambda: page.script(row) == before)
    wait_until(lambda: "First" not in page.titles())
    # The browser corrects the place with its next frame.
    wait_until(lambda: page.script(row) == before)
    assert len(page.titles()) == 42


# Touch and long lists


def swipe(page, card, pixels, lets_go=True):
    """Moves a finger over a card."""
    box = page.script("const { x, y } = arguments[0].getBoundingClientRect(); return [x, y]", card)
    x, y = box[0] + 180, box[1] + 20
    send = lambda kind, *points: page.driver.execute_cdp_cmd(
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at, "y": y} for at in points]}
    )
    send("touchStart", x)
    for step in range(1, 6):
        send("touchMove", x + pixels * step / 5)
    if lets_go:
        send("touchEnd")


# Two events of a finger may come further apart here than the time after which a touch that rests is a long press.
NO_LONG_PRESS = """
    const { setTimeout } = window;
    window.setTimeout = (act, ms, ...rest) => setTimeout(act, ms === 500 ? 1e9 : ms, ...rest);
"""


@pytest.fixture
def touch(page):
    page.size(*PHONE)
    page.script(NO_LONG_PRESS)
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    # The first touch loads what answers touches.
    page.script("""
        const touch = (type) => new PointerEvent(type, { bubbles: true, pointerType: 'touch' });
        for (const type of ['pointerdown', 'pointerup']) document.getElementById('links').dispatchEvent(touch(type));
    """)
    page.script(f"""
        await Promise.all(['swipe', 'selection-bar'].map((name) => import(`{page.folder}/list/${{name}}.js`)));
        await new Promise((resolve) => {{ setTimeout(resolve); }});
    """)
    yield page
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_a_swipe_to_the_right_archives_and_one_to_the_left_deletes(touch, alice):
    swipe(touch, touch.card("First"), 160)
    touch.see("#toast", "Moved to Archive.")
    wait_until(lambda: alice.links("title=eq.First")[0]["list"] == "archive")
    swipe(touch, touch.card("Second"), -160)
    touch.see("#toast", "Deleted.")
    touch.gone("#links li", "Second")
    touch.see("#toast button", "Undo").click()
    touch.card("Second")
    assert touch.titles() == ["Second", "Third"]


def test_swipes_do_what_the_settings_say(touch, alice):
    touch.script("localStorage.setItem('list-options', JSON.stringify({ right: 'star', left: '' }))")
    swipe(touch, touch.card("First"), -160)
    swipe(touch, touch.card("Second"), 160)
    touch.see("#toast", "Starred.")
    wait_until(lambda: [link["title"] for link in alice.links("is_starred=is.true")] == ["Second"])
    assert touch.titles() == ["First", "Second", "Third"]


# Touches a card with `arguments[0]` before the code for touches is loaded, and returns what is repeated then.
EARLY_TOUCH = """
    const { setUpTouch } = await import('FOLDER/list/touch.js');
    const [types, opensArticle] = arguments;
    const rows = document.body.appendChild(document.createElement('ol'));
    const row = rows.appendChild(document.createElement('li'));
    const seen = [];
    let load;
    setUpTouch(rows, () => new Promise((resolve) => { load = resolve; }));
    const touch = (type) => new PointerEvent(type, { bubbles: true, pointerType: 'touch' });
    for (const type of types) row.dispatchEvent(touch(type));
    rows.hidden = opensArticle;
    for (const type of types) rows.addEventListener(type, (event) => seen.push(event.type));
    load();
    await new Promise((resolve) => setTimeout(resolve));
    rows.remove();
    return seen;
"""


def test_a_touch_that_ends_before_its_code_is_loaded_is_followed_to_its_end(touch):
    early = EARLY_TOUCH.replace("FOLDER", touch.folder)
    swiped = ["pointerdown", "pointermove", "pointerup"]
    assert touch.script(early, swiped, False) == swiped
    assert touch.script(early, ["pointerdown", "pointerup"], True) == []


def test_a_short_swipe_shows_what_it_would_do_and_does_nothing(touch, alice):
    card = touch.card("First")
    swipe(touch, card, 50, lets_go=False)
    wait_until(lambda: card.get_attribute("data-swipe") == "Archive")
    touch.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait_until(lambda: card.get_attribute("data-swipe") is None)
    assert touch.titles() == ["First", "Second", "Third"]


def test_only_the_rows_near_the_screen_of_a_long_list_are_kept_whole(browser, alice, admin):
    admin.execute(
        """
        insert into public.links (user_id, raw_url, title, state, updated_at)
        select %s, 'http://127.0.0.2/long/' || n, 'Number ' || n, 'ready', now() - n * interval '1 minute'
        from generate_series(1, 600) as n""",
        [alice.id],
    )
    browser.size(*DESK)
    browser.to_list(alice)
    browser.card("Number 6")
    rows = "return document.querySelectorAll('#links li').length"
    whole = "return document.querySelectorAll('#links h2').length"
    # Below the screen, the browser only estimates heights.
    place = "return document.querySelectorAll('#links li')[5].getBoundingClientRect().top + scrollY"
    before = browser.script(place)

    def scrolled():
        browser.script("scrollTo(0, document.body.scrollHeight)")
        return browser.script(rows) == 600

    wait_until(scrolled)
    wait_until(lambda: browser.script(whole) < 350)
    # The top is whole again before it is seen, and nothing has moved.
    browser.script("scrollTo(0, 0)")
    browser.card("Number 6")
    wait_until(lambda: abs(browser.script(place) - before) < 1)
    # The keyboard reaches rows that had lost their content.
    browser.script("document.querySelectorAll('#links li')[300].parentElement.scrollIntoView()")
    select(browser, "Number 301")
    browser.see("#selection", "1 selected")
    browser.script("document.querySelectorAll('#links li h2 a')[0].focus({ preventScroll: true })")
    for _ in range(60):
        browser.press("j")
        # Text near the screen has its layout with the next frame.
        wait_until(lambda: browser.focused().text.startswith("Number "), every=0.01)
    assert browser.console_errors() == []
