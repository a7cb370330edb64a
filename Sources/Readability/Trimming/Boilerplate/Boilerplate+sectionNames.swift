// Whole headings of sections that do not belong to the article.
extension Boilerplate {
    /// Headings and labels of such sections if they contain nothing else, because headings of articles begin with them,
    /// too.
    static let sectionNames = Openings(
        """
        related
        trending
        comments
        newsletter
        subscribe
        sign up
        tags
        categories
        archives
        reviews
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
        latest news
        trending now
        top stories
        top news
        share on
        follow us
        get in touch
        something to consider
        most popular
        most read
        most viewed
        don't miss
        stay connected
        stay informed
        stay up to date
        ähnliche
        kommentare
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
        commentaires
        les plus lus
        à lire aussi
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
        comentarios
        etiquetas
        te puede interesar
        lo más leído
        más leídas
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
        comentários
        veja também
        leia também
        mais lidas
        você também pode gostar
        talvez você goste
        pode te interessar
        matérias relacionadas
        posts relacionados
        últimas notícias
        mais notícias
        commenti
        i più letti
        potrebbe interessarti anche
        ti potrebbe interessare
        ti potrebbero interessare
        potrebbero interessarti
        leggi anche
        articoli recenti
        notizie correlate
        ultime notizie
        gerelateerd
        reacties
        lees ook
        meest gelezen
        misschien vind je dit ook leuk
        gerelateerde artikelen
        gerelateerde berichten
        anderen lezen ook
        meer nieuws
        laat een reactie achter
        geef een reactie
        похожие
        популярное
        комментарии
        отзывы
        рекомендуем
        читайте также
        самые популярные
        оставить комментарий
        добавить комментарий
        добавить отзыв
        об авторе
        вам может быть интересно
        материалы по теме
        ещё по теме
        еще по теме
        последние новости
        похожие статьи
        похожие записи
        самое популярное
        самое читаемое
        terpopuler
        komentar
        baca juga
        artikel lainnya
        berita lainnya
        yorumlar
        benzer haberler
        son haberler
        çok okunanlar
        bunlar da ilginizi çekebilir
        yorum yap
        powiązane
        komentarze
        czytaj także
        czytaj również
        zobacz także
        zobacz również
        podobne artykuły
        dodaj komentarz
        relaterat
        kommentarer
        rekommenderat
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
        コメント
        カテゴリー
        人気記事
        おすすめ記事
        新着記事
        あわせて読みたい
        合わせて読みたい
        最新記事
        人気ランキング
        アクセスランキング
        评论
        留言
        热门文章
        推荐阅读
        延伸閱讀
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
        댓글
        관련 기사
        관련기사
        추천 기사
        인기 기사
        많이 본 뉴스
        komentáře
        čtěte také
        související články
        mohlo by vás zajímat
        hozzászólások
        kapcsolódó cikkek
        kommentit
        lue myös
        luetuimmat
        comentarii
        citește și
        articole similare
        коментарі
        читайте також
        схожі статті
        σχόλια
        διαβάστε επίσης
        σχετικά άρθρα
        التعليقات
        مواضيع ذات صلة
        مقالات ذات صلة
        اقرأ أيضا
        اقرأ أيضًا
        الأكثر قراءة
        مطالب مرتبط
        תגובות
        כתבות קשורות
        אולי יעניין אותך גם
        עוד בנושא
        टिप्पणियां
        संबंधित खबरें
        ความคิดเห็น
        ข่าวที่เกี่ยวข้อง
        bình luận
        tin liên quan
        bài viết liên quan
        """)
}
