// Lines that consist of a label.
extension Boilerplate {
    /// Whole lines that are labels wherever they occur.
    static let labels = Openings(
        """
        advertisement
        advertisements
        advert
        advertising
        article continues below
        article continues after advertisement
        article continues below advertisement
        story continues below advertisement
        story continues below
        story continues after advertisement
        continue reading below
        continue reading
        continue reading the main story
        scroll to continue
        scroll down to continue
        read more
        read more here
        read more about
        show more
        see more
        view more
        learn more
        load more
        more
        share
        share this
        share on facebook
        share on twitter
        share this article
        share this story
        share this post
        share via
        tweet
        tweet this
        pin it
        email
        email this
        print
        print this article
        print article
        order reprints
        reprints
        text size
        save article
        copy link
        link copied
        facebook
        twitter
        linkedin
        whatsapp
        pinterest
        reddit
        telegram
        skip to content
        skip to main content
        skip advertisement
        skip ad
        back to top
        top
        follow
        follow us
        subscribe
        subscribe now
        sign up
        sign in
        log in
        login
        register
        comments
        comment
        post comment
        post a comment
        leave a comment
        reply
        quote
        antworten
        zitieren
        répondre
        citer
        responder
        citar
        rispondi
        odpowiedz
        cytuj
        ответить
        цитировать
        رد
        اقتباس
        回复
        回覆
        返信
        답글
        leave a reply
        add comment
        view comments
        show comments
        join the conversation
        tell us what you think
        enlarge image
        enlarge
        view gallery
        open gallery
        view slideshow
        full screen
        fullscreen
        play video
        watch video
        loading
        view author archive
        email the author
        follow on twitter
        get author rss feed
        don't miss
        newsletter
        promoted
        promoted content
        sponsored
        sponsored content
        download app
        image
        video
        anzeige
        werbung
        artikel teilen
        teilen
        drucken
        mehr
        weiterlesen
        kommentare
        kommentar schreiben
        zur startseite
        nach oben
        publicité
        partager
        partager cet article
        imprimer
        lire la suite
        lire plus
        commentaires
        publicidad
        compartir
        compartir en facebook
        imprimir
        leer más
        seguir leyendo
        comentarios
        publicidade
        compartilhe
        compartilhar
        comentários
        continua após a publicidade
        leia mais
        pubblicità
        condividi
        commenti
        leggi tutto
        advertentie
        delen
        reacties
        реклама
        поделиться
        комментарии
        добавить комментарий
        добавить отзыв
        отзывы
        читать далее
        iklan
        advertensi
        bagikan
        komentar
        reklam
        paylaş
        yorumlar
        reklama
        udostępnij
        komentarze
        annons
        dela
        広告
        シェア
        シェアする
        コメント
        コメントを残す
        スポンサーリンク
        続きを読む
        广告
        分享
        分享到
        评论
        廣告
        留言
        inhaltsverzeichnis
        table of contents
        tabla de contenidos
        índice de contenidos
        sommaire
        table des matières
        indice dei contenuti
        inhoudsopgave
        spis treści
        содержание
        içindekiler
        daftar isi
        目次
        目录
        kommentieren
        zum weiterlesen
        weitere artikel
        annonce
        annonse
        pub
        anuncio
        mainos
        hirdetés
        oglas
        """)
}
