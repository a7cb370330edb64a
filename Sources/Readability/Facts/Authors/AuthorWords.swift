/// Word lists for text around names in bylines, in several languages. All entries are lower case.
enum AuthorWords {
    /// Words before names. They match whole words only; within a language, longer entries come first.
    static let prefixes: [String] = [
        // English
        "article written by", "written by", "words by", "story by", "reported by", "posted by", "published by",
        "report by", "article by", "text by", "review by", "edited by", "contributed by", "a guest post by",
        "guest post by", "by:", "by", "author:", "authors:", "author", "authors", "writer:", "words:", "text:",
        "story:", "posted on", "post author by", "post author", "interview by", "interview:",
        // German
        "ein gastbeitrag von", "ein artikel von", "geschrieben von", "ein beitrag von", "veröffentlicht von",
        "publiziert von", "eingestellt von", "erstellt von", "gepostet von", "verfasst von", "artikel von:",
        "artikel von", "beitrag von", "beitragsautor von", "beitragsautor:", "beitragsautor", "autor/in:", "autor*in:",
        "autor:in:", "von:", "von", "autor:",
        "autorin:", "autoren:", "autor", "autorin", "text:", "redaktion:",
        // French
        "écrit par", "rédigé par", "publié par", "propos recueillis par", "par:", "par :", "par", "auteur:", "auteur :",
        "auteur", "auteurs", "texte:", "texte :",
        // Spanish, Portuguese, Italian, Catalan
        "escrito por", "publicado por", "redactado por", "por:", "por", "autor/a:", "autora:", "texto:", "scritto da",
        "a cura di", "di:", "di", "da:", "da", "autore:", "testo:", "per",
        // Dutch, Danish, Norwegian, Swedish, Finnish
        "geschreven door", "door:", "door", "auteur:", "skrevet af", "skrevet av", "skriven av", "af:", "af", "av:",
        "av", "tekst:", "text av", "teksti:", "kirjoittanut", "kirjoittaja:", "kirjoittaja",
        "toimittaja:", "toimittaja",
        // Polish, Czech, Slovak, Hungarian, Romanian, Turkish, Greek
        "napisał", "napisała", "autor tekstu:", "tekst", "autor:", "szerző:", "szerző", "írta:", "írta", "de:",
        "scris de", "yazan:", "yazar:", "yazan", "haber:", "του", "της", "από", "γράφει ο", "γράφει η", "γράφει",
        "συντάκτης:",
        // Russian, Ukrainian, Bulgarian
        "автор статьи:", "автор:", "автор", "авторы:", "текст:", "текст", "автори:", "пише", "от",
        // Arabic, Persian, Hebrew
        "بقلم:", "بقلم", "كتب:", "كتب", "كتبت", "الكاتب:", "نویسنده:", "نویسنده", "نوشته:", "نوشته", "مؤلف:", "מאת:",
        "מאת",
        // Chinese, Japanese, Korean, Vietnamese, Indonesian, Thai
        "作者：", "作者:", "作者", "撰文：", "撰文:", "撰文", "文：", "文:", "文・", "文／", "文/", "文丨", "记者：", "記者：", "记者", "記者", "来源：",
        "责任编辑：", "查看", "檢視", "编辑：", "執筆者：", "執筆：", "執筆:", "執筆", "著者：", "著者:", "著者", "取材・文：", "取材・文", "ライター：", "글쓴이:",
        "글쓴이", "글:",
        "글", "기자:", "tác giả:", "tác giả", "theo", "oleh:", "oleh", "penulis:", "penulis", "โดย:", "โดย", "ผู้เขียน:",
        "ผู้เขียน",
    ]

    /// Suffixes that follow a name without a space: words for reporter and author, and honorifics. Chinese, Japanese,
    /// Korean.
    static let suffixes = ["기자", "특파원", "記者", "记者", "さん", "氏", "撰", "著", "報道", "报道", "/文"]

    /// Job titles and words for departments. Such a word is never part of a name; within a byline it ends the name
    /// before it.
    static let roles: Set<String> = Set(
        // English
        """
        reporter reporters correspondent correspondents editor editors editorial writer writers staff journalist
        columnist contributor contributors producer
        photographer photographers photojournalist photography photo photos bureau chief senior associate assistant
        deputy managing freelance freelancer intern
        analyst critic blogger fellow professor lecturer director founder ceo cto manager specialist researcher
        consultant newsroom desk team
        redaktion redakteur redakteurin korrespondent korrespondentin reporterin journalistin autor autorin
        chefredakteur chefredakteurin volontär mitarbeiter freier foto fotograf
        journaliste rédaction rédacteur rédactrice correspondant correspondante envoyé envoyée spécial photographe
        chroniqueur pigiste
        redacción redactor redactora periodista corresponsal colaborador colaboradora enviado enviada fotógrafo
        fotografía
        redação repórter jornalista correspondente colunista editora
        redazione redattore giornalista corrispondente inviato
        redactie redacteur verslaggever journalist correspondent
        redaktionen redaktör redaktor reporter reportér dziennikarz redakcja redakce novinář toimitus toimittaja
        szerkesztő újságíró muhabir muhabiri editör editörü gazeteci
        корреспондент редакция редактор журналист обозреватель репортёр кореспондент журналіст редакція
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Job titles that are surnames, too.
    static let titlesAsSurnames: Set<String> = ["writer", "reporter", "editor"]

    /// Words before a job title that say what it is about or how it is held: `Sports Editor`, `Contributing Writer`.
    static let departments: Set<String> = Set(
        """
        sports sport politics political news health science business money finance technology tech travel food
        books book film movie music arts art culture theater theatre fashion style education opinion features feature
        religion climate environment energy media entertainment gaming games legal crime courts court police
        national international foreign world city local state regional metro political investigative data video audio
        photo digital social community audience copy print magazine weekend sunday night day assignment breaking special
        contributing consulting executive general group founding acting former junior lead principal technical medical
        military defense defence security royal showbiz lifestyle property motoring racing football cricket rugby
        the our your a an by this
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Words between a name and a date. Such a word ends the name.
    static let publicationVerbs: Set<String> = Set(
        """
        published updated posted modified created
        veröffentlicht aktualisiert publiziert eingestellt publié publiée modifié modifiée publicado publicada actualizado actualizada
        atualizado atualizada
        pubblicato pubblicata aggiornato aggiornata gepubliceerd bijgewerkt publiceret opdateret publisert oppdatert
        publicerad
        publicerat uppdaterad uppdaterat julkaistu päivitetty opublikowano zaktualizowano publikováno aktualizováno
        publikované
        aktualizované közzétéve frissítve publicat actualizat yayınlandı yayınlanma güncellendi güncelleme опубликовано
        обновлено
        опубліковано оновлено публикувано
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Words before the names of photographers and illustrators, who did not write the text.
    static let pictureCredits = [
        "photo", "photograph", "picture", "image", "illustration", "graphic", "video by", "foto", "bild", "fotos",
        "crédit photo", "photographie", "fotografía", "imagen", "imagem", "immagine", "zdjęcie", "фото", "摄影", "攝影",
        "写真", "撮影", "사진", "صورة", "תצלום", "צילום",
    ]

    /// Placeholder names that content management systems and their administrators use instead of a person's name.
    static let genericNames: Set<String> = [
        "admin", "administrator", "webmaster", "root", "user", "guest", "author", "editor", "editors", "staff",
        "unknown", "anonymous", "null", "undefined", "none", "n/a", "na", "nan",
        "wordpress", "default", "test", "system", "superuser", "redaktion", "redaction", "redacción", "redação",
        "редакция", "published", "updated", "posted", "date", "share", "follow",
        "newsroom", "team", "true", "false", "siteadmin", "webteam", "content", "site", "web", "online", "编辑", "編集部",
        "관리자",
        // Labels of forms and lines that say nothing about a person. English, German, French, Spanish.
        "name", "your name", "datum", "text", "uhr", "quelle", "source", "fuente", "comments", "no comments",
        "leave a comment", "show all articles",
        "all articles", "anzahl der kommentare", "kommentare", "keine kommentare", "kommentar hinterlassen",
        "number of comments", "commentaires", "aucun commentaire", "comentarios", "nombre", "nom",
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "february", "september",
        "october", "november", "december", "january", "montag", "dienstag", "mittwoch", "donnerstag", "freitag",
        "samstag", "sonntag", "januar", "februar", "märz", "oktober", "dezember",
    ]

    /// Lines that lead to a person's other articles. WordPress and other systems show such a link at the author's name,
    /// `View all posts by Jane Doe`.
    static let archiveOpenings = Openings(
        """
        view all posts by
        view all articles by
        see all posts by
        see all articles by
        all posts by
        all articles by
        more posts by
        more articles by
        more by
        zeige alle beiträge von
        zeige alle artikel von
        alle beiträge von
        alle artikel von
        alle posts von
        alles von
        weitere beiträge von
        weitere artikel von
        mehr von
        voir tous les articles par
        voir tous les articles de
        voir toutes les publications de
        afficher tous les articles par
        afficher tous les articles de
        tous les articles de
        tous les articles par
        ver todas las entradas de
        ver todas las entradas por
        ver todas las publicaciones de
        ver todos los artículos de
        todas las entradas de
        vedi tutti gli articoli di
        visualizza tutti gli articoli di
        mostra tutti gli articoli di
        tutti gli articoli di
        bekijk alle berichten van
        bekijk alle artikelen van
        toon alle berichten van
        alle berichten van
        alle artikelen van
        ver todos os posts de
        ver todos os posts por
        ver todos os artigos de
        ver todas as publicações de
        todos os posts de
        mostra totes les entrades de
        zobacz wszystkie wpisy, których autorem jest
        zobacz wszystkie wpisy użytkownika
        zobacz wszystkie wpisy autora
        zobacz wszystkie wpisy
        wyświetl wszystkie wpisy, których autorem jest
        wyświetl wszystkie wpisy użytkownika
        wyświetl wszystkie wpisy
        просмотреть все записи автора
        посмотреть все записи автора
        все записи автора
        переглянути всі записи автора
        visa alla inlägg av
        visa alla inlägg från
        vis alle indlæg af
        vis alle innlegg av
        se alle indlæg af
        se alle innlegg av
        näytä kaikki artikkelit kirjoittajalta
        zobrazit všechny příspěvky od
        zobraziť všetky články od
        vezi toate articolele de
        vezi toate articolele lui
        δείτε όλα τα άρθρα του/της
        δείτε όλα τα άρθρα του
        lihat semua pos milik
        lihat semua tulisan oleh
        xem tất cả bài viết của
        xem tất cả các bài viết của
        xem tất cả bài viết bởi
        عرض كل مقالات
        عرض جميع المقالات بواسطة
        """)

    /// The same where the words follow the name.
    static let archiveEndings = [
        " anzeigen", " ansehen", " bekijken", " weergeven", " összes bejegyzésének megtekintése",
        " tarafından yazılan tüm yazıları görüntüle", " tarafından gönderilen tüm yazıları görüntüle",
        "の投稿をすべて表示", "のすべての投稿を表示", "的所有文章", "的全部文章", "的所有文章 →", "의 모든 글 보기", "의 모든 게시물 보기",
    ]

    /// Verbs after the name of a person who comments: `Jane says:`. Such a person did not write the article.
    static let commentVerbs: Set<String> = [
        "says", "said", "sagt", "sagte", "schreibt", "zegt", "dice", "säger", "siger",
    ]

    /// Words that pages write behind a name without a space.
    static let gluedWords = ["Follow", "Following", "Published", "Updated", "Posted", "Hace", "Folgen", "Suivre"]

    /// Words between a name and a date that begins with a number.
    static let dateWords: Set<String> = [
        "am", "on", "at", "le", "el", "il", "op", "den", "em", "hace", "vom", "um", "stand", "january", "february",
        "march", "september", "october", "november", "december",
    ]

    /// Words that join two names.
    static let conjunctions: Set<String> = [
        "and", "&", "und", "et", "y", "e", "en", "og", "och", "ja", "i", "и", "та", "и́", "with", "mit", "avec", "con",
        "com", "med", "ve", "és", "şi", "și", "και", "و",
    ]

    /// Prepositions that introduce a place or a publication after a name.
    static let placePrepositions: Set<String> = [
        "in", "for", "at", "from", "of", "aus", "für", "à", "pour", "en", "para", "per", "voor", "vid", "på", "fra",
    ]

    /// Words in the names of newspapers, agencies and companies.
    static let organisations: Set<String> = [
        "news", "press", "agency", "agence", "agentur", "times", "post", "journal", "gazette", "herald", "tribune",
        "university", "institute", "magazine", "media", "network", "inc", "ltd", "llc",
        "gmbh", "corp", "company", "group", "foundation", "daily", "weekly", "radio", "tv", "broadcasting",
    ]
}
