// Sections that do not belong to the article.
extension Boilerplate {
    /// The start of headings and labels of sections that do not belong to the article. No heading of an article
    /// continues these phrases.
    static let sections = Openings(
        """
        recommended for you
        more from
        more like this
        more stories
        more articles
        more posts
        more information from
        latest stories
        latest posts
        latest articles
        recent posts
        recent articles
        recent stories
        recent comments
        popular posts
        popular articles
        popular stories
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
        share this
        share:
        like this:
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
        about the author
        about author
        about the writer
        author bio
        meet the author
        written by
        more by
        filed under
        rights and permissions
        cite this article
        our newsletter
        comments from our readers
        comments from readers
        subscribe to our
        sign up for our
        sign up to our
        ähnliche artikel
        kommentare zu diesem
        newsletter abonnieren
        mehr zum thema
        meistgelesen
        das könnte sie auch interessieren
        das könnte dich auch interessieren
        kommentar schreiben
        schreibe einen kommentar
        über den autor
        über die autorin
        sur le même sujet
        articles similaires
        articles liés
        vous aimerez aussi
        laisser un commentaire
        à propos de l'auteur
        artículos relacionados
        noticias relacionadas
        deja un comentario
        deja una respuesta
        sobre el autor
        artigos relacionados
        notícias relacionadas
        deixe um comentário
        deixe uma resposta
        sobre o autor
        articoli correlati
        potrebbe interessarti
        lascia un commento
        комментарии к записи
        комментарии к статье
        artikel terkait
        berita terkait
        tinggalkan balasan
        ilgili haberler
        関連記事
        関連リンク
        コメントを残す
        この記事を書いた人
        相关阅读
        相关新闻
        相关文章
        发表评论
        发表回复
        相關新聞
        entdecke weitere
        entdecken sie weitere
        discover more
        empfehlungen aus
        noch mehr infos
        mehr infos
        apoya el periodismo
        """)

    /// The start of headings of sections that do not belong to the article if they consist of links. Otherwise they do:
    /// papers have a discussion, and hardware pages list what is recommended.
    static let sectionsOfLinks = Openings(
        """
        related
        recommended
        trending
        more on
        more in
        more news
        latest from
        tags
        topics
        categories
        archives
        reviews
        discussion
        comments
        newsletter
        subscribe
        sign up
        about this article
        more about
        more stories by
        also on
        more
        don't miss
        most popular
        most read
        most viewed
        themen
        mehr aus
        mehr von
        weiterlesen
        lies auch
        lesen sie auch
        lire aussi
        à lire aussi
        etiquetas
        últimas noticias
        más noticias
        recomendados
        recomendadas
        veja também
        leia também
        leggi anche
        ultime notizie
        aanbevolen
        lees ook
        популярное
        отзывы
        читайте также
        последние новости
        baca juga
        önerilen
        polecane
        najnowsze
        zobacz także
        zobacz również
        czytaj także
        czytaj również
        läs också
        läs även
        les også
        læs også
        カテゴリー
        コメント
        評論
        评论
        čtěte také
        lue myös
        citește și
        читайте також
        διαβάστε επίσης
        نظرات
        اقرأ أيضا
        """)

    /// - Parameter text: in lowercase.
    static func opensSection(_ text: ArraySlice<UInt8>) -> Bool { sections.opens(text) || sectionNames.isAll(of: text) }
}
