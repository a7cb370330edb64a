// Patterns of consent requests and of boxes that cover a page.
extension InterstitialPatterns {
    /// Class and id names of notices for outdated browsers. Most pages hide them until a script has seen the browser.
    static let browserNotices = WordPattern(browserNoticeWords)

    private static let browserNoticeWords =
        """
        update-browser update_browser updatebrowser browser-update browser_update browserupdate upgrade-browser
        upgrade_browser upgradebrowser browser-upgrade browser_upgrade browserupgrade outdated-browser outdated_browser
        outdatedbrowser browser-outdated browsehappy browse-happy old-browser old_browser oldbrowser
        unsupported-browser unsupported_browser unsupportedbrowser browser-not-supported browser-unsupported
        """

    /// Words in classes and ids of boxes that ask for consent or offer a newsletter, including those of widely used
    /// products, and of notices for outdated browsers.
    static let overlayBoxes = WordPattern(
        """
        cookie-consent cookie_consent cookieconsent cookie-banner cookie_banner cookiebanner cookie-notice cookie_notice
        cookienotice cookie-bar cookiebar cookie-law cookie-popup cookie-modal cookie-overlay cookie-wall cookiewall
        cookie-disclaimer cookie-message cookie-policy-banner cookiebot cybotcookie consent-banner consent_banner
        consent-modal consent-popup consent-overlay consent-dialog consent-wall consent-manager consentmanager
        consent-layer cmpbox cmp-container cmpwrapper gdpr-banner gdpr-consent gdpr-popup gdpr-modal gdpr-notice
        privacy-banner privacy-modal privacy-popup onetrust-banner onetrust-consent onetrust-pc didomi-host
        didomi-popup didomi-notice usercentrics-root qc-cmp2 qc-cmp-ui truste_overlay truste_box sp_message_container
        osano-cm-window iubenda-cs klaro borlabs-cookie eu-cookie eucookie fc-consent-root termly-consent
        newsletter-popup newsletter-modal newsletter-overlay newsletter-lightbox newsletter_popup newsletter_modal
        subscribe-popup subscribe-modal subscribe-overlay signup-modal signup-popup signup-overlay email-popup
        exit-intent exitintent optin-popup popmake pum-overlay mc-modal
        """
            + " " + browserNoticeWords)
    /// Phrases of a dialog that mentions cookies or a newsletter.
    static let cookieWords = PhraseList(
        """
        cookie
        cookies
        kakor
        çerezleri
        クッキー
        쿠키
        """)
    static let newsletterPhrases = PhraseList(
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
    /// Sentences of consent requests. They address the reader with "we" and "you".
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
    /// Complete labels of buttons in consent requests.
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
}
