/** The annotation of a failed test whose page answered and whose browser drew nothing anymore. */
export const STOPPED_DRAWING = 'browser stopped drawing'
