/// What obstacles are known by: words of their pages in the languages of most of the web, and marks in their mark-up. Sites
/// are not named, only the products many of them share. Written for judgement by ``ObstacleJudge``, which looks at how a
/// page is made first: none of these words makes an article an obstacle.
enum ObstacleSigns {
    // MARK: Proofs that a person asks

    /// In classes and ids of pages that are nothing but a proof: Cloudflare's forms, Imperva, PerimeterX, DataDome, AWS WAF,
    /// Akamai, DDoS-Guard, Anubis, and what older firewalls call theirs.
    static let challengeMarks = WordPattern(
        """
        challenge-form challenge-running challenge-stage challenge-error cf-challenge cf-please-wait cf-browser-verification
        cf-captcha cf-error-details cf-im-under-attack main-iframe-incapsula px-captcha datadome-captcha captcha-box-dd
        awswaf aws-waf gokuprops sec-if-cpt sec-bc-tile ddg-captcha ddos-guard anubis_challenge anubis-challenge
        sucuri_cloudproxy bot-challenge challenge-container botdetect-wall
        """)
    /// In scripts of such pages, or in their addresses. What products add to every page of a site is none of them.
    static let challengeScripts = WordPattern(
        """
        _cf_chl_opt cf_chl_ /orchestrate/chl_page /orchestrate/jsch/ /orchestrate/captcha/ _incapsula_resource
        awswafcookiedomainlist gokuprops sucuri_cloudproxy_js /.within.website/x/cmd/anubis
        """)
    /// A captcha. Forms of real pages have one as well.
    static let captchaMarks = WordPattern("g-recaptcha h-captcha cf-turnstile frc-captcha geetest captcha")

    /// Titles and headings of such pages.
    static let challengeTitles = PhraseList(
        """
        just a moment
        attention required
        access denied
        access to this page has been denied
        are you a robot
        are you human
        robot check
        bot check
        bot verification
        human verification
        verify you are human
        verifying you are human
        security check
        security checkpoint
        security verification
        checking your browser
        please wait
        one more step
        pardon our interruption
        request blocked
        ddos protection
        making sure you're not a bot
        # German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Turkish
        zugriff verweigert
        sicherheitsüberprüfung
        sind sie ein roboter
        un instant
        accès refusé
        vérification de sécurité
        un momento
        acceso denegado
        verificación de seguridad
        accesso negato
        verifica di sicurezza
        um momento
        acesso negado
        verificação de segurança
        even geduld
        toegang geweigerd
        chwileczkę
        odmowa dostępu
        один момент
        доступ запрещен
        доступ ограничен
        проверка безопасности
        bir dakika lütfen
        erişim engellendi
        # Japanese, Chinese, Korean, Arabic
        しばらくお待ちください
        アクセスが拒否されました
        请稍候
        請稍候
        安全验证
        访问被拒绝
        잠시만 기다리십시오
        لحظة
        """)
    /// What such pages ask.
    static let challengePhrases = PhraseList(
        """
        verify you are human
        verify that you are human
        verify that you're not a robot
        verifying you are human
        confirm you are human
        confirm that you are human
        prove you are human
        prove that you are human
        i'm not a robot
        i am not a robot
        you are not a robot
        you're not a robot
        make sure you're not a robot
        complete the captcha
        complete the security check
        solve the captcha
        solve this captcha
        checking your browser before
        checking if the site connection is secure
        needs to review the security of your connection
        enable javascript and cookies to continue
        unusual traffic from your
        unusual activity from your
        automated access
        automated requests
        suspicious activity
        you have been blocked
        you don't have permission to access
        your request has been blocked
        access to this page has been denied
        this process is automatic
        # German
        bestätigen sie, dass sie ein mensch sind
        dass sie kein roboter sind
        kein roboter bin
        ungewöhnlichen datenverkehr
        ungewöhnliche aktivitäten
        # French
        vérifiez que vous êtes humain
        vérifier que vous êtes humain
        pas un robot
        trafic inhabituel
        # Spanish
        verifica que eres humano
        verifique que es un ser humano
        no soy un robot
        no eres un robot
        tráfico inusual
        # Italian
        verifica che sei umano
        verifica di essere umano
        non sono un robot
        non sei un robot
        traffico insolito
        # Portuguese
        verifique se você é humano
        confirme que é humano
        não sou um robô
        não é um robô
        tráfego incomum
        # Dutch, Polish, Swedish
        controleer of u een mens bent
        geen robot bent
        ik ben geen robot
        nie jestem robotem
        potwierdź, że jesteś człowiekiem
        jag är inte en robot
        # Russian, Ukrainian, Turkish
        подтвердите, что вы человек
        подтвердите, что вы не робот
        я не робот
        вы не робот
        підтвердьте, що ви людина
        insan olduğunuzu doğrulayın
        robot değilim
        # Japanese, Chinese, Korean, Arabic
        人間であることを確認
        ロボットではありません
        ロボットでないことを確認
        确认您是真人
        验证您是真人
        请完成安全验证
        我不是机器人
        驗證您是人類
        사람인지 확인
        로봇이 아닙니다
        أنك لست روبوت
        التحقق من أنك إنسان
        """)

    // MARK: Consent

    /// Words in classes and ids of boxes that ask for consent; those of products many sites share among them.
    static let consentBoxes = WordPattern(
        """
        cookie-consent cookie_consent cookieconsent cookie-banner cookie_banner cookiebanner cookie-notice cookie_notice
        cookienotice cookie-bar cookiebar cookie-law cookie-popup cookie-modal cookie-overlay cookie-wall cookiewall
        cookie-disclaimer cookie-message cookie-policy-banner cookiebot cybotcookie consent-banner consent_banner
        consent-modal consent-popup consent-overlay consent-dialog consent-wall consent-manager consentmanager
        consent-layer cmpbox cmp-container cmpwrapper gdpr-banner gdpr-consent gdpr-popup gdpr-modal gdpr-notice
        privacy-banner privacy-modal privacy-popup onetrust-banner onetrust-consent onetrust-pc didomi-host
        didomi-popup didomi-notice usercentrics-root qc-cmp2 qc-cmp-ui truste_overlay truste_box sp_message_container
        osano-cm-window iubenda-cs klaro borlabs-cookie eu-cookie eucookie fc-consent-root termly-consent
        """)
    /// What a dialog that says it is about.
    static let cookieWords = PhraseList(
        """
        cookie
        cookies
        kakor
        çerezleri
        クッキー
        쿠키
        """)
    /// Boxes that offer a newsletter over the page.
    static let letterBoxes = WordPattern(
        """
        newsletter-popup newsletter-modal newsletter-overlay newsletter-lightbox newsletter_popup newsletter_modal
        subscribe-popup subscribe-modal subscribe-overlay signup-modal signup-popup signup-overlay email-popup
        exit-intent exitintent optin-popup popmake pum-overlay mc-modal
        """)
    static let letterPhrases = PhraseList(
        """
        newsletter
        inbox
        mailing list
        sign up for our
        subscribe to our
        # German, French, Spanish, Italian, Portuguese, Dutch, Russian
        infolettre
        lettre d'information
        boletín
        suscríbete
        iscriviti
        inscreva-se
        nieuwsbrief
        рассылк
        """)

    /// Titles and headings of pages that only ask for consent.
    static let consentTitles = PhraseList(
        """
        before you continue
        your privacy choices
        your privacy
        privacy settings
        we value your privacy
        we care about your privacy
        cookie consent
        cookie settings
        cookies
        consent
        # German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian
        bevor sie fortfahren
        bevor sie zu
        datenschutzeinstellungen
        privatsphäre
        ihre privatsphäre
        zustimmung
        avant de continuer
        vos choix en matière de confidentialité
        votre vie privée
        antes de continuar
        tu privacidad
        su privacidad
        prima di continuare
        la tua privacy
        antes de continuar
        sua privacidade
        voordat je verdergaat
        je privacy
        twoja prywatność
        ваша конфиденциальность
        """)
    /// Sentences of such pages: they say "we" and "you".
    static let consentPhrases = PhraseList(
        """
        we use cookies
        uses cookies
        use of cookies
        we and our partners
        we, and our partners
        our partners store
        information on a device
        information on your device
        store and/or access information
        storing of cookies
        process personal data
        your consent
        you consent
        withdraw your consent
        manage your choices
        your choices at any time
        legitimate interest
        personalised ads
        personalized ads
        personalised content
        personalized content
        cookie policy
        cookie preferences
        # German
        wir verwenden cookies
        wir nutzen cookies
        verwendet cookies
        wir und unsere partner
        unsere partner
        unseren partnern
        auf ihrem gerät
        ihre auswahl jederzeit
        ihre einwilligung
        ihre zustimmung
        deine einwilligung
        personenbezogene daten
        mit werbung
        berechtigtes interesse
        # French
        nous utilisons des cookies
        utilise des cookies
        nos partenaires
        votre consentement
        données personnelles
        intérêt légitime
        # Spanish
        utilizamos cookies
        usamos cookies
        utiliza cookies
        nuestros socios
        su consentimiento
        tu consentimiento
        datos personales
        # Italian
        utilizziamo cookie
        utilizza cookie
        i nostri partner
        il tuo consenso
        dati personali
        # Portuguese
        utilizamos cookies
        nossos parceiros
        seu consentimento
        dados pessoais
        # Dutch, Polish, Swedish, Danish
        gebruiken cookies
        gebruikt cookies
        onze partners
        toestemming
        używamy plików cookie
        nasi partnerzy
        twoja zgoda
        vi använder cookies
        använder kakor
        vi bruger cookies
        # Russian, Turkish
        мы используем файлы cookie
        мы используем cookie
        использует файлы cookie
        персональных данных
        çerezleri kullanıyoruz
        çerez kullan
        # Japanese, Chinese, Korean
        クッキーを使用
        cookieを使用
        使用 cookie
        使用cookie
        쿠키를 사용
        """)
    /// What is written on their buttons, and nothing else.
    static let consentButtons = PhraseList(
        """
        accept
        accept all
        accept all cookies
        accept cookies
        accept and continue
        accept & continue
        agree
        i agree
        i accept
        agree and continue
        agree to all
        allow all
        allow all cookies
        allow cookies
        yes, i agree
        yes, i'm happy
        consent
        reject all
        decline all
        manage options
        manage preferences
        manage settings
        # German
        akzeptieren
        alle akzeptieren
        alle cookies akzeptieren
        akzeptieren und weiter
        akzeptieren & weiter
        zustimmen
        zustimmen und weiter
        allen zustimmen
        einverstanden
        ich stimme zu
        alle ablehnen
        # French
        accepter
        tout accepter
        accepter tout
        accepter et continuer
        accepter et fermer
        j'accepte
        tout refuser
        # Spanish
        aceptar
        aceptar todo
        aceptar todas
        aceptar y continuar
        acepto
        rechazar todo
        # Italian
        accetta
        accetta tutto
        accetta e continua
        accetto
        rifiuta tutto
        # Portuguese
        aceitar
        aceitar tudo
        aceitar todos
        concordo
        rejeitar tudo
        # Dutch, Polish, Swedish, Danish
        accepteren
        alles accepteren
        akkoord
        ja, ik accepteer
        akceptuję
        zaakceptuj wszystko
        zgadzam się
        acceptera
        acceptera alla
        godkänn alla
        accepter alle
        tillad alle
        # Russian, Turkish
        принять
        принять все
        принять всё
        согласен
        kabul et
        tümünü kabul et
        # Japanese, Chinese, Korean
        同意する
        すべて同意
        すべて受け入れる
        同意
        全部接受
        接受所有
        동의
        모두 동의
        """)

    // MARK: Logins and subscriptions

    /// Titles, headings and buttons of pages to sign in at.
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
    /// Sentences that end the part of an article that everybody may read.
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
    /// What may as well be said of comments, or of other articles: it counts where the page is marked as one that is paid for,
    /// or has a mark of a wall.
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
    /// In classes and ids of what stands before the rest of an article.
    static let wallMarks = WordPattern(
        """
        paywall pay-wall regwall reg-wall registration-wall subscription-wall subscriber-wall premium-wall meteredwall
        metered-wall piano-offer tp-container-inner gateway-content content-gate contentgate subscribe-wall
        article-truncated truncated-content
        """)

    // MARK: Errors

    /// Titles and headings of pages that are not there, as part of them.
    static let errorPhrases = PhraseList(
        """
        404 not found
        404 error
        404 page
        error 404
        410 gone
        500 internal server error
        internal server error
        502 bad gateway
        bad gateway
        503 service unavailable
        service unavailable
        service temporarily unavailable
        504 gateway time-out
        504 gateway timeout
        gateway timeout
        403 forbidden
        429 too many requests
        page not found
        page cannot be found
        page can't be found
        page could not be found
        page couldn't be found
        page was not found
        page does not exist
        page doesn't exist
        page isn't available
        page is not available
        page no longer exists
        page you requested
        page you're looking for
        page you are looking for
        content not found
        content isn't available
        article not found
        story not found
        post not found
        file not found
        nothing found
        nothing was found
        no longer available
        site is under maintenance
        down for maintenance
        error establishing a database connection
        something went wrong
        web server is down
        origin is unreachable
        connection timed out
        this site can't be reached
        account suspended
        # German
        seite nicht gefunden
        seite wurde nicht gefunden
        seite konnte nicht gefunden werden
        seite existiert nicht
        nicht mehr verfügbar
        fehler 404
        artikel nicht gefunden
        # French
        page introuvable
        page non trouvée
        page n'existe pas
        page n'existe plus
        page demandée
        erreur 404
        # Spanish
        página no encontrada
        no se ha encontrado la página
        no se encontró la página
        página no existe
        # Italian
        pagina non trovata
        pagina non esiste
        errore 404
        # Portuguese
        página não encontrada
        página não existe
        erro 404
        # Dutch, Polish, Czech, Swedish, Danish, Finnish
        pagina niet gevonden
        pagina bestaat niet
        nie znaleziono strony
        strona nie istnieje
        stránka nenalezena
        sidan kunde inte hittas
        sidan hittades inte
        siden blev ikke fundet
        siden findes ikke
        sivua ei löytynyt
        # Russian, Ukrainian, Turkish
        страница не найдена
        страница не существует
        ошибка 404
        сторінку не знайдено
        sayfa bulunamadı
        # Japanese, Chinese, Korean, Arabic
        ページが見つかりません
        お探しのページは
        页面不存在
        页面未找到
        找不到页面
        找不到頁面
        頁面不存在
        페이지를 찾을 수 없습니다
        الصفحة غير موجودة
        """)
    /// Titles, their parts, and headings that say this and nothing else.
    static let errorWords = PhraseList(
        """
        404
        410
        500
        502
        503
        504
        403
        error
        oops
        not found
        forbidden
        gone
        unavailable
        nicht gefunden
        fehler
        introuvable
        erreur
        no encontrado
        no encontrada
        non trovato
        não encontrado
        não encontrada
        niet gevonden
        nie znaleziono
        не найдено
        ошибка
        bulunamadı
        見つかりません
        未找到
        """)

    // MARK: Scripts

    /// What pages made by scripts say to those who run none.
    static let scriptPhrases = PhraseList(
        """
        enable javascript
        javascript is required
        javascript is disabled
        javascript to be enabled
        javascript must be enabled
        requires javascript
        needs javascript
        turn on javascript
        without javascript
        javascript enabled
        # German, French, Spanish, Italian, Portuguese, Dutch, Polish
        aktivieren sie javascript
        javascript aktivieren
        javascript ist deaktiviert
        benötigt javascript
        activer javascript
        activez javascript
        javascript est désactivé
        habilite javascript
        habilita javascript
        activa javascript
        active javascript
        activar javascript
        abilita javascript
        attiva javascript
        ative o javascript
        habilitar o javascript
        schakel javascript in
        włącz javascript
        włączyć javascript
        # Russian, Turkish, Japanese, Chinese, Korean
        включите javascript
        включить javascript
        javascript'i etkinleştirin
        javascriptを有効
        启用javascript
        启用 javascript
        啟用 javascript
        javascript를 활성화
        """)
    /// What stands there until scripts have run, and nothing else.
    static let loadingWords = PhraseList(
        """
        loading
        please wait
        lädt
        wird geladen
        chargement
        chargement en cours
        cargando
        caricamento
        carregando
        laden
        ładowanie
        загрузка
        yükleniyor
        読み込み中
        加载中
        正在加载
        載入中
        로딩 중
        """)
    /// Ids of elements that scripts fill.
    static let scriptRoots: Set<String> = ["root", "app", "__next", "__nuxt", "___gatsby", "svelte", "main-app", "app-root", "react-root"]
}
