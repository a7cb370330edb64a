// Short lines that begin as no article does.
extension Boilerplate {
    /// The start of short lines that are boilerplate wherever they occur.
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
        (visited
        page views
        post views
        beitragsaufrufe
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
        lea más
        lea además
        lee además
        lea:
        lee:
        leer más:
        mira:
        mire:
        mira también
        mire también
        puedes ver:
        puede ver:
        vea también
        vea además
        vea:
        ver además
        además lee
        además:
        te recomendamos
        te recomendamos leer
        también lea
        también lee
        descubre más
        únete a nuestro canal
        entre no canal
        veja:
        leia:
        leia mais:
        leia ainda
        confira também
        confira:
        leggi:
        vedi anche
        à lire :
        lire :
        lire la suite
        voir :
        lesen sie:
        lesen sie auch:
        lesen sie dazu:
        weiterlesen:
        mehr dazu:
        mehr lesen:
        zum thema:
        zum weiterlesen:
        weitere artikel
        weitere themen:
        anzeige:
        anzeige -
        anzeige –
        werbung:
        publicidad:
        beitrag teilen
        artikel drucken
        artikel empfehlen
        möchten sie den artikel teilen
        den artikel mit anderen teilen
        diesen artikel teilen
        diesen beitrag teilen
        teile diesen beitrag
        teilen sie diesen
        comparte esta noticia
        comparte este artículo
        comparte en
        compartilhe esta
        partagez cet article
        condividi questo articolo
        deel dit artikel
        udostępnij artykuł
        pobierz pdf
        als pdf herunterladen
        pdf herunterladen
        rezept drucken
        print recipe
        jump to recipe
        zum rezept springen
        imprimir receta
        imprimer la recette
        kommentare geschlossen
        kommentare sind geschlossen
        kommentarfunktion geschlossen
        keine kommentare
        kommentieren
        kommentar verfassen
        kommentar hinterlassen
        comments are closed
        comments are off
        no comments
        comments off
        los comentarios están cerrados
        sin comentarios
        les commentaires sont fermés
        aucun commentaire
        i commenti sono chiusi
        nessun commento
        comentários encerrados
        nenhum comentário
        reacties zijn gesloten
        geen reacties
        brak komentarzy
        комментарии закрыты
        нет комментариев
        this entry was posted
        dieser beitrag wurde
        dieser eintrag wurde
        esta entrada fue publicada
        cette entrée a été publiée
        ce contenu a été publié
        questo articolo è stato
        lade weitere inhalte
        mehr laden
        cargar más
        charger plus
        you must be logged in to
        sie müssen sich einloggen
        sie müssen angemeldet sein
        du musst angemeldet sein
        bitte melden sie sich an
        debes iniciar sesión
        vous devez être connecté
        bild:
        bilder:
        abbildung:
        titelbild:
        beitragsbild:
        bildquelle:
        bildquellen:
        bildnachweis:
        bildrechte:
        featured image:
        cover image:
        header image:
        image credit:
        image credits:
        photo credit:
        photo credits:
        crédit photo :
        crédits photo :
        créditos:
        imagen:
        fotografía:
        immagine:
        hazte miembro
        hazte socio
        hazte socia
        become a member
        become a supporter
        support our work
        support our journalism
        werde mitglied
        werden sie mitglied
        devenez membre
        diventa socio
        alle angaben ohne gewähr
        quelle:
        quellen:
        empfehlungen aus
        empfehlungen der
        entdecke weitere
        entdecken sie weitere
        discover more
        découvrez aussi
        descubre más
        scopri di più
        unterstütze uns
        unterstützen sie
        """)
}
