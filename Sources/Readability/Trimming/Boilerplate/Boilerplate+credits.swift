// Captions of pictures.
extension Boilerplate {
    /// The start of captions.
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

    /// The end of captions.
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
}
