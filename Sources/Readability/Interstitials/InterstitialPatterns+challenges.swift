// Patterns of pages that demand proof that the visitor is human.
extension InterstitialPatterns {
    /// In classes and ids of challenge pages: Cloudflare's forms, Imperva, PerimeterX, DataDome, AWS WAF, Akamai,
    /// DDoS-Guard, Anubis, and names used by older firewalls.
    static let challengeMarks = WordPattern(challengeWords)
    static let challengeWords =
        """
        challenge-form challenge-running challenge-stage challenge-error cf-challenge cf-please-wait
        cf-browser-verification cf-captcha cf-error-details cf-im-under-attack main-iframe-incapsula px-captcha
        datadome-captcha captcha-box-dd awswaf aws-waf gokuprops sec-if-cpt sec-bc-tile ddg-captcha ddos-guard
        anubis_challenge anubis-challenge sucuri_cloudproxy bot-challenge challenge-container botdetect-wall
        """
    /// In scripts of challenge pages, or in their URLs. Scripts that a product adds to every page of a site are left
    /// out.
    static let challengeScripts = WordPattern(
        """
        _cf_chl_opt cf_chl_ /orchestrate/chl_page /orchestrate/jsch/ /orchestrate/captcha/ _incapsula_resource
        awswafcookiedomainlist gokuprops sucuri_cloudproxy_js /.within.website/x/cmd/anubis
        """)
    /// A captcha. Forms on ordinary pages contain one, too.
    static let captchaMarks = WordPattern(captchaWords)
    static let captchaWords = "g-recaptcha h-captcha cf-turnstile frc-captcha geetest captcha"

    /// Titles and headings of challenge pages.
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
    /// Phrases of challenge pages.
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
}
