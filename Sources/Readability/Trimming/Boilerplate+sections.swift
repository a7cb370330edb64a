// Sections that are no more of the article.
extension Boilerplate {
    /// What headings and labels of sections begin with that are no more of the article.
    static let sections = Openings(
        """
        related articles
        related posts
        related stories
        related news
        related content
        related links
        related reading
        related coverage
        related topics
        related videos
        related pages
        recommended reading
        recommended articles
        recommended stories
        recommended posts
        recommended for you
        more like this
        more stories
        more articles
        more posts
        more information from
        latest news
        latest stories
        latest posts
        latest articles
        recent posts
        recent articles
        recent stories
        recent comments
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
        stay connected
        stay informed
        stay up to date
        follow us
        get in touch
        filed under
        something to consider
        rights and permissions
        cite this article
        our newsletter
        ähnliche artikel
        mehr zum thema
        mehr aus
        mehr von
        meistgelesen
        das könnte sie auch interessieren
        das könnte dich auch interessieren
        kommentar schreiben
        schreibe einen kommentar
        über den autor
        über die autorin
        sur le même sujet
        à lire aussi
        articles similaires
        articles liés
        les plus lus
        vous aimerez aussi
        laisser un commentaire
        à propos de l'auteur
        artículos relacionados
        noticias relacionadas
        te puede interesar
        lo más leído
        más leídas
        deja un comentario
        deja una respuesta
        sobre el autor
        artigos relacionados
        notícias relacionadas
        veja também
        leia também
        mais lidas
        deixe um comentário
        deixe uma resposta
        sobre o autor
        articoli correlati
        potrebbe interessarti
        i più letti
        lascia un commento
        lees ook
        meest gelezen
        читайте также
        самые популярные
        оставить комментарий
        добавить комментарий
        добавить отзыв
        об авторе
        artikel terkait
        berita terkait
        baca juga
        tinggalkan balasan
        ilgili haberler
        関連記事
        関連リンク
        人気記事
        おすすめ記事
        新着記事
        コメントを残す
        この記事を書いた人
        相关阅读
        相关新闻
        相关文章
        热门文章
        推荐阅读
        发表评论
        发表回复
        延伸閱讀
        相關新聞
        auch interessant
        das könnte ihnen auch gefallen
        das könnte dir auch gefallen
        weitere artikel
        weitere beiträge
        weitere themen
        mehr zu diesem thema
        neueste artikel
        neueste beiträge
        ähnliche beiträge
        verwandte artikel
        verwandte themen
        verwandte beiträge
        beliebte artikel
        beliebte beiträge
        lesen sie auch
        lies auch
        cela pourrait vous intéresser
        ceci pourrait vous intéresser
        ça pourrait vous intéresser
        ces articles peuvent vous intéresser
        vous pourriez aussi aimer
        à lire également
        lire aussi
        dans la même rubrique
        dans la même catégorie
        derniers articles
        nos derniers articles
        articles récents
        articles recommandés
        ajouter un commentaire
        también te puede interesar
        también le puede interesar
        le puede interesar
        te puede gustar
        también te puede gustar
        quizás te interese
        puede que te interese
        te recomendamos
        artículos recomendados
        artículos recientes
        entradas recientes
        entradas relacionadas
        más noticias
        últimas noticias
        lo más visto
        você também pode gostar
        talvez você goste
        pode te interessar
        matérias relacionadas
        posts relacionados
        últimas notícias
        mais notícias
        potrebbe interessarti anche
        ti potrebbe interessare
        ti potrebbero interessare
        potrebbero interessarti
        leggi anche
        articoli recenti
        notizie correlate
        ultime notizie
        misschien vind je dit ook leuk
        gerelateerde artikelen
        gerelateerde berichten
        anderen lezen ook
        meer nieuws
        laat een reactie achter
        geef een reactie
        вам может быть интересно
        материалы по теме
        ещё по теме
        еще по теме
        последние новости
        похожие статьи
        похожие записи
        самое популярное
        самое читаемое
        artikel lainnya
        berita lainnya
        benzer haberler
        son haberler
        çok okunanlar
        bunlar da ilginizi çekebilir
        yorum yap
        czytaj także
        czytaj również
        zobacz także
        zobacz również
        podobne artykuły
        dodaj komentarz
        läs också
        läs även
        mest läst
        relaterade artiklar
        les også
        læs også
        mest lest
        mest læste
        relaterte artikler
        relaterede artikler
        čtěte také
        související články
        mohlo by vás zajímat
        kapcsolódó cikkek
        lue myös
        luetuimmat
        διαβάστε επίσης
        σχετικά άρθρα
        читайте також
        схожі статті
        citește și
        articole similare
        あわせて読みたい
        合わせて読みたい
        最新記事
        人気ランキング
        アクセスランキング
        猜你喜欢
        相关推荐
        更多文章
        网友评论
        最新评论
        你可能喜歡
        推薦閱讀
        熱門文章
        相關文章
        相關閱讀
        관련 기사
        관련기사
        추천 기사
        인기 기사
        많이 본 뉴스
        مواضيع ذات صلة
        مقالات ذات صلة
        اقرأ أيضا
        اقرأ أيضًا
        الأكثر قراءة
        כתבות קשורות
        אולי יעניין אותך גם
        עוד בנושא
        संबंधित खबरें
        مطالب مرتبط
        ข่าวที่เกี่ยวข้อง
        tin liên quan
        bài viết liên quan
        """)

    /// Headings and labels of such sections where nothing else is said: articles have headings that begin so.
    static let sectionNames = Openings(
        """
        related
        recommended
        trending
        comments
        newsletter
        subscribe
        sign up
        tags
        categories
        archives
        reviews
        ähnliche
        themen
        kommentare
        commentaires
        comentarios
        etiquetas
        comentários
        commenti
        gerelateerd
        reacties
        похожие
        популярное
        комментарии
        отзывы
        terpopuler
        komentar
        yorumlar
        powiązane
        komentarze
        relaterat
        kommentarer
        コメント
        カテゴリー
        评论
        more
        weiterlesen
        rekommenderat
        recomendados
        recomendadas
        aanbevolen
        рекомендуем
        polecane
        najnowsze
        önerilen
        評論
        留言
        댓글
        التعليقات
        תגובות
        टिप्पणियां
        نظرات
        ความคิดเห็น
        bình luận
        komentáře
        hozzászólások
        kommentit
        σχόλια
        коментарі
        comentarii
        """)

    /// Those of sections that are no more of the article where they are links, and may be otherwise: papers discuss.
    static let sectionsOfLinks = Openings(
        """
        related
        recommended
        trending
        more on
        more in
        more from
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
        themen
        etiquetas
        популярное
        отзывы
        カテゴリー
        評論
        评论
        コメント
        more about
        more stories by
        also on
        """)

    /// - Parameter text: in small letters.
    static func opensSection(_ text: ArraySlice<UInt8>) -> Bool { sections.opens(text) || sectionNames.isAll(of: text) }
}
