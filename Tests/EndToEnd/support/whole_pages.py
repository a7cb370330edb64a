"""A page without running text, on which no candidate for the article is convincing."""

DAYS = "".join(
    f"<tr><td>{day}</td><td>9 to 12</td><td>14 to 18</td></tr>"
    for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
)
UNCONVINCING = f"""<!doctype html><html lang="en"><title>Opening hours</title><body>
<div class="content"><h1>Opening hours</h1><table><tr><th>Day</th><th>Morning</th><th>Afternoon</th></tr>{DAYS}</table></div>
<footer><h2>Good to know</h2><p onclick="alert(1)">Bring your card.</p><script>alert(1)</script></footer>
</body></html>
"""
