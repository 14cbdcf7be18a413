/** Milliseconds, to a tenth. */
export const TIME = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })
