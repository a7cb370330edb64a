/// What is written to users, in plain text.
struct MailText {
    var subject: String
    var body: String

    /// Why a link was made, in the words of the database.
    enum Kind: String {
        case recovery, invite, magiclink, signup

        /// Seconds a link is good for. An invitation waits for somebody who does not expect it; the others are asked for.
        var lifetime: Int { self == .invite ? 7 * 86_400 : 3_600 }
    }

    /// A mail that brings a link.
    ///
    /// - Parameter service: the address of the service, as its users know it.
    init(_ kind: Kind, link: String, service: String) {
        switch kind {
        case .recovery:
            subject = "Choose a new password"
            body = """
                Somebody, probably you, wants to choose a new password for your account at
                \(service). This link lets you do so once, within an hour:

                \(link)

                It signs out all devices that are signed in now. If it was not you who asked,
                leave this mail alone: nothing has changed.

                """
        case .invite:
            subject = "You are invited to read with Lectern"
            body = """
                You are invited to \(service), where you can save pages and read
                them later. This link opens your account once, within a week:

                \(link)

                If you do not know what this is about, leave this mail alone.

                """
        case .magiclink, .signup:
            subject = "Your link to sign in"
            body = """
                This link signs you in to \(service) once, within an hour:

                \(link)

                If you did not ask for it, leave this mail alone.

                """
        }
    }

    /// Tells the address an account had until now that it has another one.
    init(newAddressAt service: String) {
        subject = "Your account has another address now"
        body = """
            Your account at \(service) was given another e-mail address.
            This one signs in no longer.

            If it was not you who changed it, tell the person who runs the service.

            """
    }
}
