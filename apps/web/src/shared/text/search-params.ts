import * as v from 'valibot'

/** A CID, as far as we can tell from a link. Anything else is dropped without an error. */
export const cidParam = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{8,128}$/))), undefined)

/** A day in the format of a date field: "2026-11-21". */
export const dayParam = v.fallback(v.optional(v.pipe(v.string(), v.isoDate())), undefined)
