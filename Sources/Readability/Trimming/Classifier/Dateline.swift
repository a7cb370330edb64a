/// Lines that contain only a date of publication, and perhaps an author.
enum Dateline {
    /// - Parameters:
    ///   - text: in lowercase.
    ///   - names: hashes of the words of the author's name, which may occur beside the date.
    static func isDate(_ text: ArraySlice<UInt8>, beside names: Set<UInt64> = []) -> Bool {
        var numbers = 0
        var marks = 0
        var tokens = 0
        for token in text.split(whereSeparator: { $0 <= 0x20 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "|") }) {
            tokens += 1
            guard tokens <= 24, let kind = kind(of: token, names) else { return false }
            switch kind {
            case .number: numbers += 1
            case .date:
                numbers += 1
                marks += 1
            case .mark: marks += 1
            case .filler: break
            }
        }
        return numbers > 0 && marks > 0
    }

    private enum Kind { case number, date, mark, filler }

    private static func kind(of token: ArraySlice<UInt8>, _ names: Set<UInt64>) -> Kind? {
        var token = token
        while let last = token.last, last < 0x80, !isWordCharacter(last) { token.removeLast() }
        while let first = token.first, first < 0x80, !isWordCharacter(first) { token.removeFirst() }
        guard let first = token.first else { return .filler }
        if first >= 0x30 && first <= 0x39 { return numeric(token) }
        // Signs beyond ASCII: dashes, dots, arrows.
        if token.count <= 3, first == 0xC2 || first == 0xE2 { return .filler }
        let hash = BlockHints.Hash.of(token)
        if marks.contains(hash) { return .mark }
        if fillers.contains(hash) || names.contains(hash) { return .filler }
        return nil
    }

    /// `19`, `2019`, `11:05`, `19.11.2019`, `8:02am`, `3rd`, `2018年8月16日`.
    private static func numeric(_ token: ArraySlice<UInt8>) -> Kind? {
        var separators = 0
        var digits = 0
        var letters = 0
        for byte in token {
            switch byte {
            case 0x30...0x39: digits += 1
            case UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "+"):
                separators += 1
            default: letters += 1
            }
        }
        if letters > 9 || digits > 14 { return nil }
        if letters > 4 { return token.contains(0xE5) || token.contains(0xE6) ? .date : nil }
        return separators > 0 ? .date : .number
    }

    private static func table(_ words: String) -> Set<UInt64> {
        Set(words.utf8.split(whereSeparator: { $0 <= 0x20 }).map { BlockHints.Hash.of($0) })
    }

    /// Months, weekdays and words beside a time, in the languages of ``Boilerplate``.
    private static let marks = table(
        """
        january february march april may june july august september october november december
        jan feb mar apr jun jul aug sep sept oct nov dec
        monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
        published updated posted modified created today yesterday ago am pm a.m p.m
        januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
        veröffentlicht veröffentlichung aktualisiert aktualisierung erstellt eingestellt stand datum uhr
        janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi
        vendredi
        samedi dimanche publié publication modifié mise jour
        enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles
        jueves
        viernes sábado domingo publicado publicación actualizado actualización fecha
        janeiro fevereiro março maio junho julho setembro outubro novembro dezembro segunda-feira terça-feira
        quarta-feira
        quinta-feira sexta-feira atualizado publicação atualização
        gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre lunedì martedì mercoledì giovedì venerdì
        sabato
        domenica pubblicato pubblicazione aggiornato aggiornamento
        januari februari maart mei augustus maandag dinsdag woensdag donderdag vrijdag zaterdag zondag gepubliceerd
        января февраля марта апреля мая июня июля августа сентября октября ноября декабря опубликовано обновлено
        ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
        stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
        maret desember senin selasa rabu kamis jumat sabtu minggu wib
        """)
    private static let fillers = table(
        """
        on at the of first last original originally edit edited date time in by local
        est edt et pst pdt pt cst cdt ct mst gmt utc bst ist cet cest aest z h min mins minute minutes hour hours day
        days week
        weeks read reading temps lecture lesezeit minute minuten lettura lectura leitura tempo tiempo
        am um den der vom zuletzt le la les à de el a las às os em il alle ore op om i kl года г в ob bis
        """)
}
