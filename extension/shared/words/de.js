// The words of the extension in German, by the English text. See `../words.js`.

export default {
  'A copy of the page is being made…': 'Eine Kopie der Seite wird erstellt …',
  'A copy of the page is kept ({size} kB).': 'Eine Kopie der Seite ist gespeichert ({size} kB).',
  'A copy of the page is kept ({size} MB).': 'Eine Kopie der Seite ist gespeichert ({size} MB).',
  'Lectern assumes that a page needs a login if it has a link to sign out, or if the server finds no article on it.':
    'Lectern nimmt an, dass eine Seite eine Anmeldung braucht, wenn sie einen Link zum Abmelden hat oder der Server auf ihr keinen Artikel findet.',
  'Add a tag, then Enter': 'Schlagwort, dann Eingabetaste',
  'Address of your server': 'Adresse Ihres Servers',
  'Always': 'Immer',
  'Archive': 'Archiv',
  'Badge': 'Kennzeichen',
  'Bookmarks': 'Lesezeichen',
  'Choose folders of bookmarks': 'Lesezeichenordner auswählen',
  'Clear the log': 'Protokoll leeren',
  'Collection': 'Sammlung',
  'Connect': 'Verbinden',
  'Discard': 'Verwerfen',
  'E-mail address': 'E-Mail-Adresse',
  'Enter the address of your server and sign in, then save again.':
    'Geben Sie die Adresse Ihres Servers ein und melden Sie sich an. Speichern Sie dann noch einmal.',
  'Folders; each becomes a collection': 'Ordner; jeder wird eine Sammlung',
  'For this, the extension sees the addresses of your tabs and sends your server a hash of each. Your browser asks for the permission first.':
    'Dafür sieht die Erweiterung die Adressen Ihrer Tabs und sendet Ihrem Server von jeder einen Hash. Ihr Browser fragt vorher um Erlaubnis.',
  'Forget': 'Vergessen',
  'Forget the choice for {site}': 'Einstellung für {site} vergessen',
  'Highlight and save to Lectern': 'Markieren und in Lectern speichern',
  'Import': 'Importieren',
  'Import the reading list of this browser': 'Leseliste dieses Browsers importieren',
  'Import these folders': 'Diese Ordner importieren',
  'Imported {n} new link.|Imported {n} new links.': {
    one: '{n} neuer Link importiert.',
    other: '{n} neue Links importiert.',
  },
  'Wrong e-mail address or password.': 'E-Mail-Adresse oder Passwort ist falsch.',
  'Invalid web address': 'Ungültige Webadresse',
  'Keep a copy as it looks': 'Kopie in dieser Ansicht behalten',
  'Keep a copy of each page as it looks': 'Von jeder Seite eine Kopie in dieser Ansicht behalten',
  'Lectern: options': 'Lectern: Optionen',
  'List': 'Liste',
  'Log': 'Protokoll',
  'Looking for the server…': 'Server wird gesucht …',
  'Mark the button on pages that are saved': 'Die Schaltfläche auf gespeicherten Seiten kennzeichnen',
  'Never': 'Nie',
  'No article': 'Kein Artikel',
  'No Lectern server answers at {server}. Check the address, and whether it runs.':
    'Unter {server} antwortet kein Lectern-Server. Prüfen Sie die Adresse und ob er läuft.',
  'No storage left': 'Kein Speicherplatz mehr',
  'No storage left for pictures': 'Kein Speicherplatz mehr für Bilder',
  'None': 'Keine',
  'Not a picture': 'Kein Bild',
  'Not a web address': 'Keine Webadresse',
  'Not a web page': 'Keine Webseite',
  'Not saved any more.': 'Nicht mehr gespeichert.',
  'Not saved.': 'Nicht gespeichert.',
  'Not saved: {message}': 'Nicht gespeichert: {message}',
  'Note': 'Notiz',
  'Nothing is waiting.': 'Nichts wartet.',
  'Open options': 'Optionen öffnen',
  'Open the reading list': 'Leseliste öffnen',
  'Options': 'Optionen',
  'Or a code from the account page of your server': 'Oder ein Code von der Kontoseite Ihres Servers',
  'Pages': 'Seiten',
  'Pages that wait': 'Wartende Seiten',
  'Pair': 'Koppeln',
  'Paired with {server} as {email}.': 'Mit {server} gekoppelt als {email}.',
  'Password': 'Passwort',
  'Reading list': 'Leseliste',
  'Refused: {url}: {message}': 'Abgelehnt: {url}: {message}',
  'Remove tag {name}': 'Schlagwort {name} entfernen',
  'Removed from the queue': 'Aus der Warteschlange entfernt',
  'Save again': 'Erneut speichern',
  'Save all tabs of this window': 'Alle Tabs dieses Fensters speichern',
  'Save link to Lectern': 'Link in Lectern speichern',
  'Save page to Lectern': 'Seite in Lectern speichern',
  'Save to Lectern': 'In Lectern speichern',
  'Saved on this device. It is sent when the server can be reached.':
    'Auf diesem Gerät gespeichert. Der Link wird gesendet, sobald der Server erreichbar ist.',
  'Saved on {day}, read, in the archive. Moved to the top.':
    'Gespeichert am {day}, gelesen, im Archiv. Jetzt ganz oben.',
  'Saved on {day}, read. Moved to the top.': 'Gespeichert am {day}, gelesen. Jetzt ganz oben.',
  'Saved on {day}, unread, in the archive. Moved to the top.':
    'Gespeichert am {day}, ungelesen, im Archiv. Jetzt ganz oben.',
  'Saved on {day}, unread. Moved to the top.': 'Gespeichert am {day}, ungelesen. Jetzt ganz oben.',
  'Saved to Lectern': 'In Lectern gespeichert',
  'Saved {n} tab.|Saved {n} tabs.': {
    one: '{n} Tab gespeichert.',
    other: '{n} Tabs gespeichert.',
  },
  'Saved.': 'Gespeichert.',
  'Saved: {url}': 'Gespeichert: {url}',
  'Saving…': 'Wird gespeichert …',
  'Send now': 'Jetzt senden',
  'Send pages of this site': 'Seiten dieser Website senden',
  'Send the page itself': 'Die Seite selbst senden',
  'Send this page now': 'Diese Seite jetzt senden',
  'Sending…': 'Wird gesendet …',
  'Sent: {url}': 'Gesendet: {url}',
  'Server': 'Server',
  'Sign in': 'Anmelden',
  'Sign out': 'Abmelden',
  'Signed in at {server} as {email}.': 'Bei {server} angemeldet als {email}.',
  'Signed out at {server}.': 'Bei {server} abgemeldet.',
  'Sites with their own setting': 'Websites mit eigener Einstellung',
  'Tags': 'Schlagwörter',
  'Tags of this page': 'Schlagwörter dieser Seite',
  'Reading the page in the browser…': 'Die Seite wird im Browser gelesen …',
  'Test the connection': 'Verbindung testen',
  'Testing…': 'Wird getestet …',
  'The address is blocked': 'Die Adresse ist gesperrt',
  'The article comes from the page in your browser.': 'Der Artikel stammt aus der Seite in Ihrem Browser.',
  'The article comes from the page that the server fetched.':
    'Der Artikel stammt aus der Seite, die der Server abgerufen hat.',
  'The article could not be extracted': 'Der Artikel konnte nicht gewonnen werden',
  'The article could not be extracted again': 'Der Artikel konnte nicht erneut gewonnen werden',
  'The article could not be stored': 'Der Artikel konnte nicht gespeichert werden',
  'The browser asks whether the extension may reach this server. It asks for no other site.':
    'Der Browser fragt, ob die Erweiterung diesen Server erreichen darf. Nach anderen Websites fragt er nicht.',
  'The browser does not let extensions read this page, so no copy is kept.':
    'Der Browser lässt Erweiterungen diese Seite nicht lesen, deshalb gibt es keine Kopie.',
  'The browser does not let extensions read this page, so only its address was saved.':
    'Der Browser lässt Erweiterungen diese Seite nicht lesen, deshalb wurde nur ihre Adresse gespeichert.',
  'The browser hides this page from extensions, even its address.':
    'Der Browser verbirgt diese Seite vor Erweiterungen, sogar ihre Adresse.',
  'The code is wrong, used or expired. Make a new one with "Pair a device" on the account page.':
    'Der Code ist falsch, verwendet oder abgelaufen. Erstellen Sie einen neuen unter „Gerät koppeln“ auf der Kontoseite.',
  'The copy is one file with the styles and pictures of the page, at most 10 MB, which "More actions" opens as "Saved copy". Pictures of other sites are included if the extension may reach these sites; your browser asks for that.':
    'Die Kopie ist eine Datei mit den Stilen und Bildern der Seite, höchstens 10 MB groß. „Weitere Aktionen“ öffnet sie als „Gespeicherte Kopie“. Bilder anderer Websites sind dabei, wenn die Erweiterung diese Websites erreichen darf; danach fragt Ihr Browser.',
  'The copy of the page is sent later.': 'Die Kopie der Seite wird später gesendet.',
  'The copy of {url}: {message}': 'Die Kopie von {url}: {message}',
  'The file is missing': 'Die Datei fehlt',
  'The log stays on this device. It holds addresses, and no passwords or pages.':
    'Das Protokoll bleibt auf diesem Gerät. Es enthält Adressen, aber keine Passwörter und keine Seiten.',
  'The other version has no article.': 'Die andere hat keinen Artikel.',
  'The other version has only the beginning.': 'Die andere hat nur den Anfang.',
  'The other version is shorter.': 'Die andere ist kürzer.',
  'The page did not answer in time, so no copy is kept.':
    'Die Seite hat nicht rechtzeitig geantwortet, deshalb gibt es keine Kopie.',
  'The page did not answer in time, so only its address was saved.':
    'Die Seite hat nicht rechtzeitig geantwortet, deshalb wurde nur ihre Adresse gespeichert.',
  'The page has more than 10 MB without its pictures, so no copy is kept.':
    'Die Seite hat ohne ihre Bilder mehr als 10 MB, deshalb gibt es keine Kopie.',
  'The page has more than 10 MB, so only its first part was sent.':
    'Die Seite hat mehr als 10 MB, deshalb wurde nur ihr erster Teil gesendet.',
  'The page itself': 'Die Seite selbst',
  'The page of {url} was not sent: {message}': 'Die Seite von {url} wurde nicht gesendet: {message}',
  'The password is not stored.': 'Das Passwort wird nicht gespeichert.',
  'The picture cannot be read': 'Das Bild ist nicht lesbar',
  'The picture is too large': 'Das Bild ist zu groß',
  'The response could not be decompressed': 'Die Antwort ließ sich nicht entpacken',
  'The server answers as {email}, in {took} ms.': 'Der Server antwortet in {took} ms, angemeldet als {email}.',
  'The server does not accept a page of this size, so only the address was saved.':
    'Der Server nimmt keine Seite dieser Größe an, deshalb wurde nur die Adresse gespeichert.',
  'The server fetches each page that you save. It can also read the page as your browser shows it, and keeps the better of the two.':
    'Der Server ruft jede Seite ab, die Sie speichern. Er kann auch die Seite lesen, wie Ihr Browser sie zeigt, und behält die bessere von beiden.',
  'The server found no article ({reason}), so the page is sent: {url}':
    'Der Server fand keinen Artikel ({reason}), deshalb wird die Seite gesendet: {url}',
  'The server found no article on this page.': 'Der Server fand auf dieser Seite keinen Artikel.',
  'The server has ended the session.': 'Der Server hat die Sitzung beendet.',
  'You have reached the daily limit of pages; the server goes on tomorrow':
    'Sie haben die Tagesgrenze für Seiten erreicht; der Server macht morgen weiter',
  'The server is reading the page…': 'Der Server liest die Seite …',
  'The server is too old to keep copies of pages. Ask its admin to update it.':
    'Der Server ist zu alt, um Kopien von Seiten zu behalten. Bitten Sie die Serververwaltung, ihn zu aktualisieren.',
  'The server is too old to say which pages are saved. Ask its admin to update it.':
    'Der Server ist zu alt, um zu sagen, welche Seiten gespeichert sind. Bitten Sie die Serververwaltung, ihn zu aktualisieren.',
  'The server is too old to accept pages, so only the address was saved. Ask its admin to update it.':
    'Der Server ist zu alt, um Seiten anzunehmen, deshalb wurde nur die Adresse gespeichert. Bitten Sie die Serververwaltung, ihn zu aktualisieren.',
  'The server refused {n} of them: see the options.': 'Der Server hat {n} davon abgelehnt: siehe Optionen.',
  'The server returned status {status}.': 'Der Server hat mit dem Status {status} geantwortet.',
  'The server was interrupted': 'Der Server wurde unterbrochen',
  'The site answered with an error': 'Die Website hat mit einem Fehler geantwortet',
  'The site asks for consent': 'Die Website fragt nach Zustimmung',
  'The site asks for proof that you are human': 'Die Website verlangt den Nachweis, dass Sie ein Mensch sind',
  'The site requires you to sign in': 'Die Website verlangt eine Anmeldung',
  'The site could not be reached': 'Die Website war nicht erreichbar',
  'The site sent an invalid response': 'Die Website hat ungültig geantwortet',
  'The site was not found': 'Die Website wurde nicht gefunden',
  'The site was too slow': 'Die Website war zu langsam',
  'The stored article was kept, as the page shows less now':
    'Der gespeicherte Artikel wurde behalten, da die Seite jetzt weniger zeigt',
  'The test of the connection took {took} ms.': 'Der Test der Verbindung dauerte {took} ms.',
  'There are no bookmarks.': 'Es gibt keine Lesezeichen.',
  'There is a Lectern server at {server}.': 'Unter {server} gibt es einen Lectern-Server.',
  'There is no collection “{name}”.': 'Es gibt keine Sammlung „{name}“.',
  'There is nothing to import.': 'Es gibt nichts zu importieren.',
  'This browser has forgotten its token. Revoke it on the account page of your server.':
    'Dieser Browser hat sein Token vergessen. Widerrufen Sie es auf der Kontoseite Ihres Servers.',
  'This is not an HTML page, so no copy is kept.': 'Das ist keine HTML-Seite, deshalb gibt es keine Kopie.',
  'This is not an HTML page, so only its address was saved. The server fetches the file itself.':
    'Das ist keine HTML-Seite, deshalb wurde nur ihre Adresse gespeichert. Der Server ruft die Datei selbst ab.',
  'This is not the address of a server. It should look like https://lectern.example.org':
    'Das ist keine Adresse eines Servers. Sie sieht etwa so aus: https://lectern.example.org',
  'This page cannot be saved.': 'Diese Seite lässt sich nicht speichern.',
  'This server cannot pair browsers. Sign in with your password.':
    'Dieser Server kann keine Browser koppeln. Melden Sie sich mit Ihrem Passwort an.',
  'This was saved with another account. It is sent when that account signs in again.':
    'Dies wurde mit einem anderen Konto gespeichert. Es wird gesendet, wenn sich dieses Konto wieder anmeldet.',
  'Title': 'Titel',
  'To Read': 'Leseliste',
  'Too large': 'Zu groß',
  'Too large or too complex': 'Zu groß oder zu komplex',
  'Too many redirects': 'Zu viele Weiterleitungen',
  'Try again': 'Erneut versuchen',
  'Undo': 'Rückgängig',
  'Waiting': 'Wartend',
  'Waits: {url}: {message}': 'Wartet: {url}: {message}',
  'No Lectern server answers at {server}. Does your network want you to sign in?':
    'Unter {server} antwortet kein Lectern-Server. Verlangt Ihr Netz eine Anmeldung?',
  'When the page needs a login': 'Wenn die Seite eine Anmeldung verlangt',
  'Without the permission nothing can be imported.': 'Ohne die Berechtigung lässt sich nichts importieren.',
  'Without the permission there is no badge.': 'Ohne die Berechtigung gibt es kein Kennzeichen.',
  'Without the permission, copies lack pictures that pages take from other sites.':
    'Ohne die Berechtigung fehlen in Kopien Bilder, die Seiten von anderen Websites beziehen.',
  'Working…': 'In Arbeit …',
  'You are not signed in.': 'Sie sind nicht angemeldet.',
  'You are not signed in. Enter your server and sign in, in the options.':
    'Sie sind nicht angemeldet. Geben Sie in den Optionen Ihren Server ein und melden Sie sich an.',
  'Your browser asks for the permission first. Nothing is imported twice.':
    'Ihr Browser fragt vorher um Erlaubnis. Nichts wird doppelt importiert.',
  'Your browser asks whether the extension may see your tabs.':
    'Ihr Browser fragt, ob die Erweiterung Ihre Tabs sehen darf.',
  'Your server cannot reach files on this device, so only the address was saved. Drop the file on your list.':
    'Ihr Server erreicht keine Dateien auf diesem Gerät, deshalb wurde nur die Adresse gespeichert. Ziehen Sie die Datei auf Ihre Liste.',
  'Your session has ended. Sign in again in the options; pages that are waiting are kept.':
    'Ihre Sitzung ist beendet. Melden Sie sich in den Optionen neu an; nichts von dem, was wartet, geht verloren.',
  'Your session has ended. Sign in again; pages that are waiting are kept.':
    'Ihre Sitzung ist beendet. Melden Sie sich neu an; nichts von dem, was wartet, geht verloren.',
  '{n} of them waits until the server can be reached.|{n} of them wait until the server can be reached.': {
    one: '{n} davon wartet, bis der Server erreichbar ist.',
    other: '{n} davon warten, bis der Server erreichbar ist.',
  },
  '{n} page is waiting.|{n} pages are waiting.': {
    one: '{n} Seite wartet.',
    other: '{n} Seiten warten.',
  },
  '{n} picture or style is missing.|{n} pictures or styles are missing.': {
    one: '{n} Bild oder Stil fehlt.',
    other: '{n} Bilder oder Stile fehlen.',
  },
  '{n} was saved before.|{n} were saved before.': {
    one: '{n} war schon gespeichert.',
    other: '{n} waren schon gespeichert.',
  },
  '{server} does not answer.': '{server} antwortet nicht.',
};
