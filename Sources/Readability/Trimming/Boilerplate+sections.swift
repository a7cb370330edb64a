// Sections that are no more of the article.
extension Boilerplate {
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
}
