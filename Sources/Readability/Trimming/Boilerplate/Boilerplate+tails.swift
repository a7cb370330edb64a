// Lines after the end of an article.
extension Boilerplate {
    /// The start of lines after an article's end.
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
        titelbild
        beitragsbild
        bild:
        bilder:
        abbildung:
        imagen:
        imagen destacada
        image à la une
        image :
        photo :
        imagem:
        immagine:
        weiterführende links
        weiterführende informationen
        weitere informationen
        mehr informationen
        quellenangaben
        stand:
        kontakt
        contacto
        contact :
        contatti
        contato
        impressum
        suggested citation
        cite as
        zitiervorschlag
        dieser artikel erschien
        dieser beitrag erschien
        dieser text erschien
        if you enjoyed reading
        if you have any questions
        if you have any further questions
        apoya
        apóyanos
        soutenez
        sostieni
        zapraszamy do
        zapraszamy też do
        """)

    /// Parts of credit lines after an article's end.
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
        tell us what you think
        let us know what you think
        let us know in the comments
        in the comments below
        in the comments section
        sign up for our
        follow us on
        schreiben sie uns
        in den kommentaren
        dans les commentaires
        en los comentarios
        nos comentários
        nei commenti
        в комментариях
        @
        sign up here
        subscribe here
        auf facebook
        auf twitter
        auf instagram
        bei facebook
        bei twitter
        en facebook
        en twitter
        en instagram
        sur facebook
        sur twitter
        su facebook
        su twitter
        no facebook
        no twitter
        no telegram
        canal de telegram
        bookmark the permalink
        hier anmelden
        consider supporting
        if you enjoyed reading
        do subskrypcji
        die meinung des autors
        die meinung der autorin
        nicht der redaktion
        views of the author
        opinions of the author
        views expressed
        """)
}
