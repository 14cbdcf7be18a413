// The styles of a grant's limits, for React and for pages rendered without it.

/** A list of limits. */
export const LIST = 'mt-1 list-outside list-disc space-y-1 pl-5 marker:text-ink-faint'
/** A list within a limit. */
export const INNER = 'ml-0.5 border-line-strong border-l-2'
/** A warning. */
export const NOTE = 'block text-sm text-warn'
/** What the limits leave open. */
export const OPEN_NOTE = 'mt-1 text-sm'
