import * as v from 'valibot'

/** A CID, as far as a link can tell; what does not fit is dropped, never fatal. */
export const cidParam = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{8,128}$/))), undefined)

/** A day, as a date field has it: "2026-11-21". */
export const dayParam = v.fallback(v.optional(v.pipe(v.string(), v.isoDate())), undefined)
