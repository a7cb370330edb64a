// Patterns of error pages.
extension InterstitialPatterns {
    /// Phrases within titles and headings of error pages.
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
    /// Complete titles, parts of titles, and headings of error pages.
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
}
