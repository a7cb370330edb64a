"""The default of SIGNUP: anybody makes the first account, which is the admin's, and then accounts are by invitation."""

from concurrent.futures import ThreadPoolExecutor

from support import service
from support.browser import ListPage
from support.sessions import bearer


def test_the_first_account_is_the_admins_and_all_others_are_by_invitation(chromium):
    with service.own(LECTERN_SIGNUP="first") as instance:
        page = ListPage(instance.url, chromium)
        page.open()
        page.see("#first-account", "becomes its administrator")
        page.see("#login [value=signup]", "Create account")

        def sign_up(number):
            return instance.auth("POST", "signup", {"email": f"{number}@example.org", "password": "correct horse"})

        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(sign_up, range(6)))
        assert sorted(answer.status for answer in answers) == [200] + [422] * 5
        [session] = [answer.json() for answer in answers if answer.status == 200]
        refused = {answer.json()["error_code"] for answer in answers if answer.status == 422}
        assert session["user"]["app_metadata"]["admin"] is True and refused == {"signup_disabled"}
        users = instance.auth("GET", "admin/users", **bearer(session["access_token"]))
        assert [user["id"] for user in users.json()["users"]] == [session["user"]["id"]]

        page.driver.refresh()
        page.see("#invitation", "by invitation")
        assert not any(one.is_displayed() for one in page.all("#first-account, #login [value=signup]"))
        assert page.console_errors() == []
        said = instance.run()
        assert "Accounts are by invitation" in said and "/auth/v1/signup" not in said
        invited = instance.auth("POST", "invite", {"email": "guest@example.org"}, **bearer(session["access_token"]))
        assert invited.status == 200
