/** The name under which the text being checked is kept while the page is open. */
export const CHECK_DRAFT = 'check'
