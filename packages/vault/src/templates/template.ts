import * as v from 'valibot'

/** Maximum length of a template's name, in UTF-16 units. */
export const TEMPLATE_NAME_MAX = 60
/** Maximum length of a template's command and limits together, in UTF-16 units. */
export const TEMPLATE_TEXT_MAX = 32_768
/** Maximum number of templates per account. */
export const TEMPLATES_MAX = 200
/** A lifetime of a hundred years, in seconds. */
export const TEMPLATE_LIFETIME_MAX = 3_155_760_000

const time = v.pipe(v.number(), v.finite())
const id = v.pipe(v.string(), v.regex(/^[0-9A-Za-z-]{1,64}$/))

/**
 * A template as stored. Unknown fields are kept. Reading accepts more than writing, because another version may have had
 * other limits.
 */
export const templateRecord = v.looseObject({
  id,
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(10 * TEMPLATE_NAME_MAX)),
  command: v.string(),
  policy: v.string(),
  lifetime: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  createdAt: time,
  updatedAt: time,
})

/** What remains of a removed template, so that no older copy brings it back. */
export const removedTemplate = v.looseObject({ id, removed: v.literal(true), updatedAt: time })

/** A grant that the owner gives again and again: all but who it is for. */
export interface Template {
  readonly id: string
  readonly name: string
  readonly command: string
  /** The limits, as the JSON text of a policy. */
  readonly policy: string
  /** How long a grant from it lasts, in seconds. */
  readonly lifetime: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** A new template or, with an `id`, changes to one. */
export type TemplateDraft =
  | Pick<Template, 'name' | 'command' | 'policy' | 'lifetime'>
  | (Pick<Template, 'id'> & Partial<Pick<Template, 'name' | 'command' | 'policy' | 'lifetime'>>)
