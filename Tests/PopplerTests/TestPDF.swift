/// Builds PDF files for tests.
struct TestPDF {
    struct Text {
        var x = 72.0
        var y: Double
        var size = 12.0
        var text: String
    }

    var title: String?
    var author: String?
    /// The texts of each page. y counts from the lower edge.
    var pages: [[Text]] = []
    /// Whether the file needs an unknown password.
    var isLocked = false

    var bytes: [UInt8] {
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        var kids: [String] = []
        for page in pages {
            let stream = page.map { "BT /F1 \($0.size) Tf 1 0 0 1 \($0.x) \($0.y) Tm (\($0.text)) Tj ET" }.joined(
                separator: "\n")
            objects.append("<< /Length \(stream.utf8.count) >>\nstream\n\(stream)\nendstream")
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents \(objects.count) 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
            )
            kids.append("\(objects.count) 0 R")
        }
        objects[1] = "<< /Type /Pages /Count \(pages.count) /Kids [\(kids.joined(separator: " "))] >>"
        var trailer = "/Root 1 0 R"
        if title != nil || author != nil {
            objects.append("<< /Title (\(title ?? "")) /Author (\(author ?? "")) >>")
            trailer += " /Info \(objects.count) 0 R"
        }
        if isLocked {
            let key = String(repeating: "41", count: 32)
            objects.append("<< /Filter /Standard /V 1 /R 2 /O <\(key)> /U <\(key)> /P -4 >>")
            trailer += " /Encrypt \(objects.count) 0 R /ID [<41> <41>]"
        }
        var file = "%PDF-1.4\n"
        var places: [Int] = []
        for (number, object) in objects.enumerated() {
            places.append(file.utf8.count)
            file += "\(number + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = file.utf8.count
        file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places { file += String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n" }
        file += "trailer\n<< /Size \(objects.count + 1) \(trailer) >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(file.utf8)
    }
}
