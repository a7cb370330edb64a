/// What stands around articles, in the words of many sites. English first, then German, French, Spanish, Portuguese, Italian,
/// Dutch, Russian, Indonesian, Turkish, Polish, Swedish, Japanese, Chinese. Small letters; ' for every apostrophe.
enum Boilerplate {
    /// Lines that say nothing else, wherever they stand.
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
        """)

    /// Lines that begin so and are short, wherever they stand.
    static let openings = Openings(
        """
        read more:
        read more about
        read more on
        read more from
        read more here
        read more at
        read also
        also read
        also read:
        read:
        read next
        read the full
        read this:
        must read
        see also
        see also:
        see more:
        see more at
        see related
        related:
        related article
        related articles
        related stories
        related story
        related posts
        related coverage
        related content
        related news
        related topics
        related video
        recommended:
        more:
        more from
        more on this
        more stories
        more news
        more coverage
        don't miss:
        don't miss
        you may also like
        you might also like
        you may also be interested
        you might be interested
        watch:
        watch now
        listen:
        live updates:
        trending:
        most read
        most popular
        up next
        click here to
        click here for
        click to share
        click to subscribe
        tap here
        follow us
        follow us on
        follow the author
        follow me on
        follow him on twitter
        follow her on twitter
        follow him on
        follow her on
        like us on
        find us on
        join us on
        connect with us
        subscribe to
        subscribe now
        subscribe for
        sign up for
        sign up to
        sign up now
        sign up here
        get the latest
        get our
        get breaking news
        get more
        share this
        share on
        share your thoughts
        let us know in the comments
        tell us in the comments
        tell us what you think
        what do you think?
        join the discussion
        join the conversation
        leave a comment
        leave a reply
        leave your comment
        view comments
        download the app
        download our app
        download the
        download:
        support our journalism
        support us
        donate
        become a member
        this article contains affiliate links
        this post contains affiliate links
        this post may contain affiliate
        this article may contain affiliate
        we may earn a commission
        we may earn commission
        we use cookies
        this website uses cookies
        this site uses cookies
        this site uses akismet
        javascript is
        please enable javascript
        your browser does not support
        this video is
        sorry, this video
        enlarge this image
        filed under
        filed in
        posted in
        posted under
        tagged with
        tagged as
        tagged
        tags:
        topics:
        categories:
        category:
        file under
        lesen sie auch
        lesen sie hier
        lesen sie mehr
        lesen sie dazu
        lies auch
        mehr zum thema
        mehr zu
        siehe auch
        auch interessant
        folgen sie uns
        jetzt abonnieren
        newsletter abonnieren
        schlagworte
        lire aussi
        à lire aussi
        à lire
        à voir aussi
        lire également
        voir aussi
        sur le même sujet
        suivez-nous
        inscrivez-vous
        abonnez-vous
        lea también
        lee también
        lee más
        le puede interesar
        te puede interesar
        también te puede interesar
        leer también
        ver también
        ver más
        síguenos
        síganos
        suscríbete
        suscríbase
        más información
        más noticias
        noticias relacionadas
        leia também
        leia mais
        veja também
        veja mais
        saiba mais
        siga-nos
        siga o
        inscreva-se
        assine
        leggi anche
        leggi tutto
        potrebbe interessarti
        seguici
        iscriviti
        guarda anche
        lees ook
        lees meer
        lees verder
        bekijk ook
        volg ons
        читайте также
        читать также
        смотрите также
        по теме
        подписывайтесь
        подпишитесь
        следите за
        baca juga
        baca selengkapnya
        simak juga
        lihat juga
        ikuti kami
        filed under
        ayrıca bakınız
        bunu da oku
        bizi takip edin
        czytaj też
        czytaj także
        zobacz też
        zobacz także
        läs också
        läs mer
        läs även
        関連記事
        関連リンク
        あわせて読みたい
        こちらもおすすめ
        この記事をシェア
        相关阅读
        相关新闻
        相关文章
        延伸阅读
        推荐阅读
        相關新聞
        延伸閱讀
        reading time
        estimated reading time
        read time
        lesezeit
        lesedauer
        temps de lecture
        durée de lecture
        tiempo de lectura
        tempo de leitura
        tempo di lettura
        leestijd
        время чтения
        время на чтение
        waktu baca
        okuma süresi
        czas czytania
        lästid
        lesetid
        læsetid
        読了時間
        阅读时间
        閱讀時間
        views:
        page views
        aufrufe:
        vues :
        visitas:
        visualizações
        просмотров
        просмотры
        wyświetleń
        閲覧数
        阅读量
        浏览量
        get our app
        zum newsletter anmelden
        jetzt für den newsletter
        melden sie sich für
        abonnieren sie
        recevez notre newsletter
        recevez la newsletter
        recevez nos
        apúntate a
        apúntate al
        recibe nuestro boletín
        recibe la newsletter
        receba nossa newsletter
        receba a newsletter
        receba nossas
        ricevi la newsletter
        ricevi la nostra newsletter
        meld je aan voor
        schrijf je in voor
        prenumerera på
        anmäl dig till
        tilmeld dig
        meld deg på
        zapisz się
        abone ol
        berlangganan
        更多
        """)

    /// Headings and labels of sections that are no more of the article.
    static let sections = Openings(
        """
        related
        recommended
        recommended for you
        more from
        more on
        more in
        more like this
        more stories
        more news
        more articles
        more posts
        more information from
        latest news
        latest stories
        latest from
        latest posts
        latest articles
        recent posts
        recent articles
        recent stories
        recent comments
        trending
        trending now
        popular posts
        popular articles
        popular stories
        most popular
        most read
        most viewed
        top stories
        top news
        editor's picks
        editors' picks
        from around the web
        from the web
        around the web
        you may also like
        you might also like
        you may like
        you might like
        you may also be interested
        you might also be interested
        you may have missed
        what to read next
        read next
        up next
        next article
        previous article
        next post
        previous post
        also read
        see also on
        don't miss
        share this
        share:
        share on
        like this:
        comments
        comment on this
        join the conversation
        leave a reply
        leave a comment
        post a comment
        add a comment
        add a review
        write a review
        reader comments
        user reviews
        discussion
        reviews
        about the author
        about author
        about the writer
        author bio
        meet the author
        written by
        more by
        newsletter
        subscribe
        sign up
        stay connected
        stay informed
        stay up to date
        follow us
        get in touch
        tags
        topics
        filed under
        categories
        archives
        something to consider
        rights and permissions
        about this article
        cite this article
        our newsletter
        ähnliche
        ähnliche artikel
        mehr zum thema
        mehr aus
        mehr von
        meistgelesen
        das könnte sie auch interessieren
        das könnte dich auch interessieren
        kommentare
        kommentar schreiben
        schreibe einen kommentar
        über den autor
        über die autorin
        themen
        sur le même sujet
        à lire aussi
        articles similaires
        articles liés
        les plus lus
        vous aimerez aussi
        commentaires
        laisser un commentaire
        à propos de l'auteur
        artículos relacionados
        noticias relacionadas
        te puede interesar
        lo más leído
        más leídas
        comentarios
        deja un comentario
        deja una respuesta
        sobre el autor
        etiquetas
        artigos relacionados
        notícias relacionadas
        veja também
        leia também
        mais lidas
        comentários
        deixe um comentário
        deixe uma resposta
        sobre o autor
        articoli correlati
        potrebbe interessarti
        i più letti
        commenti
        lascia un commento
        lees ook
        meest gelezen
        gerelateerd
        reacties
        похожие
        читайте также
        самые популярные
        популярное
        комментарии
        отзывы
        оставить комментарий
        добавить комментарий
        добавить отзыв
        об авторе
        artikel terkait
        berita terkait
        terpopuler
        baca juga
        komentar
        tinggalkan balasan
        ilgili haberler
        yorumlar
        powiązane
        komentarze
        relaterat
        kommentarer
        関連記事
        関連リンク
        人気記事
        おすすめ記事
        新着記事
        コメント
        コメントを残す
        この記事を書いた人
        カテゴリー
        相关阅读
        相关新闻
        相关文章
        热门文章
        推荐阅读
        评论
        发表评论
        发表回复
        延伸閱讀
        相關新聞
        """)

    /// What lines behind an article's end begin with.
    static let tails = Openings(
        """
        ©
        (c)
        copyright
        all rights reserved
        follow
        contact
        email
        e-mail
        write to
        reach
        subscribe
        about
        tags
        tagged
        source:
        sources:
        via:
        via
        photo:
        photos:
        photo by
        photo credit
        image:
        image credit
        image via
        featured image
        cover image
        credit:
        picture:
        published
        first published
        originally published
        this article was originally published
        this article originally appeared
        this story was originally published
        this story originally appeared
        this post originally appeared
        this article was first published
        this article has been
        this post was
        this material may not
        updated
        last updated
        last modified
        posted
        posted by
        posted on
        posted in
        written by
        by
        reporting by
        editing by
        edited by
        the associated press
        associated press
        ap
        for more information
        for more
        to learn more
        to read more
        more information
        learn more
        check out
        click
        listen to
        if you enjoyed this
        if you liked this
        if you have a tip
        have a tip
        got a tip
        got a news tip
        do you have
        send us
        send your
        tell us
        share your
        want more
        like what you
        thanks for reading
        thank you for reading
        disclaimer
        disclosure
        note to editors
        media contact
        press contact
        contacts
        print
        reprints
        views:
        comments
        quelle
        quellen
        foto
        fotos
        autor
        von
        veröffentlicht
        aktualisiert
        alle rechte vorbehalten
        source :
        crédit photo
        publié
        mis à jour
        par
        tous droits réservés
        fuente
        publicado
        actualizado
        por
        todos los derechos reservados
        fonte
        atualizado
        todos os direitos reservados
        pubblicato
        aggiornato
        tutti i diritti riservati
        bron
        источник
        фото
        автор
        опубликовано
        дата
        sumber
        penulis
        editor
        kaynak
        źródło
        källa
        出典
        写真
        来源
        责任编辑
        编辑
        """)

    /// What stands in lines of credit behind an article's end.
    static let tailParts = Openings(
        """
        contributed to this report
        contributed to this story
        contributed to this article
        contributed reporting
        all rights reserved
        may not be published, broadcast
        on twitter
        on facebook
        on instagram
        @
        """)

    /// What texts of pictures begin with.
    static let credits = Openings(
        """
        image copyright
        image caption
        image:
        image source
        image credit
        image via
        image by
        images:
        (image
        [image
        photo:
        photo by
        photo credit
        photo courtesy
        photo via
        photos:
        photos by
        (photo
        [photo
        photograph:
        photograph by
        picture:
        picture by
        (picture
        pic:
        credit:
        (credit
        credits:
        source: getty
        courtesy of
        courtesy:
        media caption
        getty images
        ap photo
        (ap photo
        reuters/
        file photo
        file:
        video:
        screenshot:
        screengrab
        illustration:
        illustration by
        foto:
        (foto
        foto di
        fotos:
        bild:
        bildquelle
        photo :
        crédit photo
        crédit :
        crédits
        © 
        imagem:
        imagen:
        crédito
        foto de
        foto por
        reprodução
        divulgação
        фото:
        写真:
        写真：
        画像:
        图片来源
        图：
        """)

    /// What texts of pictures end with.
    static let creditParts = Openings(
        """
        (image:
        (photo:
        (photo by
        (photo credit
        (picture:
        (credit:
        (ap photo
        image credit:
        photo credit:
        photo by
        photo:
        image:
        getty images
        shutterstock
        via ap
        via getty
        /getty
        /reuters
        /afp
        /ap
        file photo
        """)

    /// What headings of a company's own words about itself begin with; its name follows.
    static let company = Openings(
        """
        about
        über
        à propos de
        à propos d'
        acerca de
        sobre a
        sobre o
        sobre
        informazioni su
        over
        om
        o firmie
        о компании
        """)

    /// The lines by which press releases end: `###`, `-30-`, `– ends –`.
    static func isEndOfRelease(_ text: ArraySlice<UInt8>) -> Bool {
        let letters = text.filter { isWordCharacter($0) || $0 == UInt8(ascii: "#") }
        guard letters.count < text.count || letters.first == UInt8(ascii: "#") else { return false }
        return ["###", "####", "#####", "30", "ends", "end", "ende", "fin"].contains { letters.elementsEqual($0.utf8) }
    }
}
