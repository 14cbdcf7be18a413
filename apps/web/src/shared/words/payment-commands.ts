/** What a mandate without a budget lets its holder do: anyone can check it, nobody counts. */
export const AUTHORIZE = '/payment/authorize'
/** What one with a budget lets its holder do: ask, so that the vault counts. */
export const REQUEST = '/payment/request'
