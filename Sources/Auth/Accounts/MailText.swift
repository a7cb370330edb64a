/// The mails to users, in plain text.
struct MailText {
    var subject: String
    var body: String

    /// The purpose of a link, as stored in the database.
    enum Kind: String {
        case recovery, invite, magiclink, signup
        case emailChange = "email_change"

        /// Seconds a link is valid. An invitation is valid longer, because its recipient does not expect it.
        var lifetime: Int { self == .invite ? 7 * 86_400 : 3_600 }
    }

    /// A mail with a link.
    ///
    /// - Parameter service: the public URL of the service.
    init(_ kind: Kind, link: String, service: String) {
        switch kind {
        case .recovery:
            subject = "Choose a new password"
            body = """
                Someone, probably you, asked to reset the password of your account at
                \(service). This link lets you choose a new password. It works once, within
                an hour:

                \(link)

                It signs out all your devices and revokes your API tokens, unless you keep
                them. If you did not ask for it, ignore this mail: nothing has changed.

                """
        case .invite:
            subject = "You are invited to read with Lectern"
            body = """
                You are invited to \(service), where you can save pages and read
                them later. This link opens your account. It works once, within a week:

                \(link)

                If you did not expect this invitation, ignore this mail.

                """
        case .emailChange:
            subject = "Confirm your new address"
            body = """
                Someone, probably you, asked to use this address for an account at
                \(service). This link confirms it. It works once, within an hour:

                \(link)

                From then on, you sign in with this address. If you did not ask for it,
                ignore this mail: nothing has changed.

                """
        case .signup:
            subject = "Confirm your address"
            body = """
                Someone, probably you, has an account with this address at
                \(service). This link confirms the address and signs you in. It works once,
                within an hour:

                \(link)

                If you have no account there, ignore this e-mail: until the link is opened,
                no digests or books are sent to this address.

                """
        case .magiclink:
            subject = "Your link to sign in"
            body = """
                This link signs you in to \(service). It works once, within an hour:

                \(link)

                If you did not ask for it, ignore this e-mail.

                """
        }
    }

    /// A notice to the old address of an account after the address was changed.
    init(newAddressAt service: String) {
        subject = "The e-mail address of your account has changed"
        body = """
            The e-mail address of your account at \(service) has changed.
            You can no longer sign in with this address.

            If you did not change it, contact the person who runs the service.

            """
    }
}
