// Patterns of pages that ask the visitor to sign in or to pay.
extension InterstitialPatterns {
    /// Titles, headings and buttons of sign-in pages.
    static let loginTitles = PhraseList(
        """
        log in
        login
        log on
        sign in
        sign-in
        signin
        sign up
        create account
        create an account
        register
        welcome back
        members only
        # German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish
        anmelden
        anmeldung
        einloggen
        connexion
        se connecter
        connectez-vous
        identifiez-vous
        iniciar sesión
        inicia sesión
        accedi
        accesso
        entrar
        iniciar sessão
        fazer login
        inloggen
        aanmelden
        zaloguj się
        logowanie
        logga in
        # Russian, Turkish, Japanese, Chinese, Korean, Arabic
        войти
        вход
        авторизация
        giriş yap
        oturum aç
        ログイン
        サインイン
        登录
        登入
        로그인
        تسجيل الدخول
        """)
    /// Sentences after the free part of an article.
    static let wallPhrases = PhraseList(
        """
        subscribe to continue
        subscribe to keep reading
        subscribe to read
        subscribe now to read
        subscribe to unlock
        subscribe for full access
        sign in to continue
        sign in to read
        sign in to keep reading
        sign up to continue
        sign up to read
        log in to continue
        log in to read
        login to continue reading
        login to read
        register to continue
        register to read
        register for free to continue
        create a free account to continue
        create an account to continue
        create an account to read
        to continue reading
        to keep reading
        continue reading with a
        continue reading this article
        to read the full article
        to read the full story
        to view the full article
        to view the full story
        to see the full article
        to see the full story
        to read the rest of
        to read this article in full
        read the rest of this article
        the rest of this article is
        this article is for subscribers
        this article is for paying
        this article is for members
        this article is exclusive to
        this article is reserved for
        this content is for subscribers
        this content is for members
        this content is reserved for
        this post is for paid subscribers
        this post is for paying subscribers
        this post is for subscribers
        this story is for subscribers
        this is a preview of subscription content
        members-only story
        member-only story
        you have reached your limit of free articles
        you've reached your limit of free articles
        you have read your last free
        you've read your last free
        your last free article
        unlock this article
        unlock the full article
        # German
        jetzt weiterlesen
        um weiterzulesen
        weiterlesen mit
        zum weiterlesen
        diesen artikel weiterlesen
        dieser artikel ist exklusiv für
        dieser artikel ist nur für
        dieser inhalt ist exklusiv für
        jetzt abonnieren und weiterlesen
        vollständigen artikel lesen
        # French
        pour lire la suite
        abonnez-vous pour
        la suite est réservée
        connectez-vous pour lire
        article est réservé
        article réservé aux
        contenu est réservé
        contenu réservé aux
        il vous reste à lire
        # Spanish
        contenido exclusivo para suscriptores
        artículo exclusivo para suscriptores
        suscríbete para seguir leyendo
        suscríbete para leer
        para seguir leyendo
        para continuar leyendo
        inicia sesión para seguir
        # Italian
        contenuto riservato agli abbonati
        articolo riservato agli abbonati
        articolo è riservato
        per continuare a leggere
        abbonati per
        # Portuguese
        conteúdo exclusivo para assinantes
        para continuar a ler
        para continuar lendo
        assine para ler
        # Dutch
        om verder te lezen
        # Polish, Swedish, Danish, Norwegian, Finnish
        aby czytać dalej
        för att läsa vidare
        för att fortsätta läsa
        for at læse videre
        for å lese videre
        jatka lukemista
        # Russian, Ukrainian, Turkish
        чтобы читать дальше
        чтобы продолжить чтение
        okumaya devam etmek için
        # Japanese, Chinese, Korean
        続きを読むには
        この記事は有料
        この記事は会員
        登录后继续阅读
        登录后阅读
        订阅后继续
        訂閱以繼續
        로그인 후 이용
        """)
    /// Phrases that may also refer to comments or other articles. They count only if the page declares paid content or
    /// has a wall's mark.
    static let wallHints = PhraseList(
        """
        for subscribers only
        subscribers only
        subscriber-only
        subscriber exclusive
        already a subscriber
        already a member
        subscribe now
        # German, French, Spanish, Italian, Portuguese
        nur für abonnenten
        bereits abonnent
        bereits registriert
        jetzt abonnieren
        réservé aux abonnés
        réservé à nos abonnés
        réservée aux abonnés
        déjà abonné
        abonnez-vous
        exclusivo para suscriptores
        solo para suscriptores
        sólo para suscriptores
        ya eres suscriptor
        riservato agli abbonati
        sei già abbonato
        exclusivo para assinantes
        exclusivo para subscritores
        já é assinante
        # Dutch, Polish, Swedish, Danish, Norwegian, Finnish
        alleen voor abonnees
        word abonnee
        tylko dla prenumeratorów
        dostęp dla prenumeratorów
        endast för prenumeranter
        kun for abonnenter
        vain tilaajille
        # Russian, Ukrainian, Turkish, Japanese, Chinese, Korean
        только для подписчиков
        доступно только подписчикам
        оформите подписку
        лише для передплатників
        yalnızca aboneler
        会員限定
        有料会員限定
        仅限会员
        會員專屬
        구독자 전용
        """)
    /// In classes and ids of the element before the rest of an article.
    static let wallMarks = WordPattern(wallWords)
    static let wallWords =
        """
        paywall pay-wall regwall reg-wall registration-wall subscription-wall subscriber-wall premium-wall meteredwall
        metered-wall piano-offer tp-container-inner gateway-content content-gate contentgate subscribe-wall
        article-truncated truncated-content
        """
}
