import Foundation
import Testing

@testable import FastCGI

@Suite("FastCGI / plain CGI")
struct CGITests {
    private func answer(_ environment: [String: String], body: [UInt8] = []) throws -> (status: Int32, text: String) {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = URL(filePath: EchoProcess.executable)
        process.environment = environment
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // A pipe holds this much, so the write cannot block.
        try input.fileHandleForWriting.write(contentsOf: Data(body))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test("the request is read from the environment and the response is written to stdout")
    func get() throws {
        let (status, text) = try answer([
            "REQUEST_METHOD": "GET", "REQUEST_URI": "/a%20b?c=d", "HTTP_ACCEPT": "*/*", "LECTERN_REQUEST_ID": "r-1",
            "REMOTE_ADDR": "192.0.2.1",
        ])
        #expect(status == 0)
        #expect(text.hasPrefix("Status: 200 OK\r\ncontent-type: text/plain\r\n"))
        #expect(text.hasSuffix("method=GET\npath=/a%20b\nquery=c=d\nid=r-1\nremote=192.0.2.1\nbody=\naccept: */*"))
    }

    @Test("the body of the announced length is read from stdin")
    func post() throws {
        let environment = ["REQUEST_METHOD": "POST", "REQUEST_URI": "/length", "CONTENT_LENGTH": "3"]
        #expect(try answer(environment, body: Array("abc".utf8)).text.contains("\r\n\r\n3 "))
        #expect(try answer(environment, body: Array("ab".utf8)).text.hasPrefix("Status: 400 "))
    }

    @Test("a body over the limit is rejected with 413 without being read")
    func tooLarge() throws {
        let environment = ["REQUEST_METHOD": "POST", "REQUEST_URI": "/", "CONTENT_LENGTH": "4", "ECHO_BODY_LIMIT": "3"]
        #expect(try answer(environment).text.hasPrefix("Status: 413 "))
    }

    @Test("without a request in its environment it answers 400 and does not wait")
    func byHand() throws {
        #expect(try answer([:]).text.hasPrefix("Status: 400 "))
    }

    @Test("a large body is written to a file, which is gone after the response")
    func file() throws {
        let folder = TemporaryFolder()
        let environment = [
            "REQUEST_METHOD": "POST", "REQUEST_URI": "/file", "CONTENT_LENGTH": "300000",
            "ECHO_BODY_FOLDER": folder.path,
        ]
        let body = [UInt8](repeating: 0x61, count: 300_000)
        #expect(try answer(environment, body: body).text.hasSuffix("\r\n\r\n0 300000"))
        #expect(try answer(environment, body: Array(body.dropLast())).text.hasPrefix("Status: 400 "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
