/** What a mandate without a budget allows. Anyone can check it, and no one counts. */
export const AUTHORIZE = '/payment/authorize'
/** What a mandate with a budget allows: asking, so that the vault counts. */
export const REQUEST = '/payment/request'
