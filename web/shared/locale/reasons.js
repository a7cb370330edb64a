// Why a page has no article, or an article lacks a picture, by the codes of the server. It does not import translate.js,
// which waits for it.

/**
 * Returns the names of the reasons.
 * @param {(text: string) => string} t
 * @returns {Record<string, string>}
 */
export function reasonNames(t) {
  return {
    http_error: t('The site answered with an error'),
    timeout: t('The site was too slow'),
    connection_failed: t('The site could not be reached'),
    dns_error: t('The site was not found'),
    bad_response: t('The site sent an invalid response'),
    bad_encoding: t('The response could not be decompressed'),
    too_large: t('Too large'),
    too_many_redirects: t('Too many redirects'),
    blocked_address: t('The address is blocked'),
    blocked_scheme: t('Not a web address'),
    invalid_url: t('Invalid web address'),
    not_html: t('Not a web page'),
    no_article: t('No article'),
    consent_wall: t('The site asks for consent'),
    login_wall: t('The site requires you to sign in'),
    bot_challenge: t('The site asks for proof that you are human'),
    over_budget: t('Too large or too complex'),
    reader_crashed: t('The article could not be extracted'),
    not_read: t('The article could not be extracted again'),
    not_stored: t('The article could not be stored'),
    interrupted: t('The server was interrupted'),
    storage_quota: t('No storage left'),
    not_a_picture: t('Not a picture'),
    unreadable: t('The picture cannot be read'),
    too_many_pixels: t('The picture is too large'),
    no_document: t('The file is missing'),
    worse_page: t('The stored article was kept, as the page shows less now'),
    fetch_quota: t('You have reached the daily limit of pages; the server goes on tomorrow'),
    quota: t('No storage left for pictures'),
    cancelled: t('Removed from the queue'),
  };
}
