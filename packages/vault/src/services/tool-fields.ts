// The arguments of a tool, from its JSON Schema: what a limit can be about. Reads what it understands, and says of the rest that it is there.
// The schema is a stranger's: it may be huge, deep, or refer to itself. So only a part of it is looked at, and no reference is followed.
import type { OfferedTool } from './introduction.ts'

/** Most fields of a tool, how deep they may be nested, and most values to choose from. */
const MOST_FIELDS = 60
const DEEPEST = 3
const MOST_CHOICES = 50
const LONGEST_NAME = 128
const LONGEST_CHOICE = 200
const LONGEST_DESCRIPTION = 600

/** What a field has. `paths` and `texts` are lists; `other` can't be limited by its parts here. */
export type FieldKind =
  | 'path'
  | 'paths'
  | 'text'
  | 'texts'
  | 'number'
  | 'integer'
  | 'truth'
  | 'choice'
  | 'other'

/** An argument that a limit can be about. */
export interface ToolField {
  /** Its names, from the outside in. */
  readonly names: readonly string[]
  /** Where a policy finds it: `.arguments.path`. */
  readonly selector: string
  readonly kind: FieldKind
  /** The service's words. */
  readonly description?: string
  /** Of a `choice`. */
  readonly choices?: readonly (string | number | boolean)[]
  /** Of a number: what the tool takes. */
  readonly least?: number
  readonly most?: number
  /** Whether the tool has to be given it. */
  readonly required: boolean
}

export interface ToolFields {
  readonly fields: readonly ToolField[]
  /** Whether there may be arguments that aren't listed. */
  readonly isPartial: boolean
  /** Names of paths that no field is about, or not at each place where the schema has them. */
  readonly unlistedPaths: readonly string[]
}

/** The arguments of a tool. */
export function toolFields({ schema, paths }: Pick<OfferedTool, 'schema' | 'paths'>): ToolFields {
  const fields: ToolField[] = []
  const pathNames = new Set(paths)
  let isPartial = schema === undefined

  function look(of: unknown, names: readonly string[], isNeeded: boolean): void {
    if (!isMap(of)) {
      isPartial = true
      return
    }
    // Arguments that such a schema allows can't be listed.
    if (['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties'].some((key) => key in of)) isPartial = true
    if (of.additionalProperties === true || isMap(of.additionalProperties)) isPartial = true
    // At the top a gate refuses what isn't listed, if anything is. Below it, only the schema can.
    if (!isMap(of.properties) || (names.length > 0 && of.additionalProperties !== false)) isPartial = true
    const required = new Set(Array.isArray(of.required) ? of.required : [])
    const properties = isMap(of.properties) ? Object.entries(of.properties) : []
    for (const [name, property] of properties) {
      if (fields.length >= MOST_FIELDS || name === '' || name.length > LONGEST_NAME || hasControl(name)) {
        isPartial = true
        continue
      }
      const inner = [...names, name]
      const needed = isNeeded && required.has(name)
      const isPath = pathNames.has(name)
      if (!isPath && inner.length < DEEPEST && hasParts(property)) look(property, inner, needed)
      else fields.push(fieldOf(property, inner, needed, isPath))
    }
  }

  if (schema !== undefined) look(schema, [], true)
  const spoken = namesIn(schema)
  const unlistedPaths = [...pathNames].filter((path) => {
    const listed = fields.filter(({ names, kind }) => names.at(-1) === path && /^paths?$/.test(kind)).length
    return listed === 0 || listed < (spoken.get(path) ?? 0)
  })
  return { fields, isPartial, unlistedPaths }
}

/** Whether a property is an object that lists what is in it. */
function hasParts(property: unknown): boolean {
  return (
    isMap(property) &&
    typeOf(property) === 'object' &&
    isMap(property.properties) &&
    Object.keys(property.properties).length > 0
  )
}

/** How often a schema speaks of arguments of each name, at any depth, as gates look for paths. */
function namesIn(schema: unknown): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const rest = [schema]
  while (rest.length > 0) {
    const of = rest.pop()
    if (typeof of !== 'object' || of === null) continue
    if (isMap(of) && isMap(of.properties))
      for (const name of Object.keys(of.properties)) counts.set(name, (counts.get(name) ?? 0) + 1)
    for (const each of Object.values(of)) rest.push(each)
  }
  return counts
}

function fieldOf(schema: unknown, names: readonly string[], required: boolean, isPath: boolean): ToolField {
  const selector = `.arguments${names.map(step).join('')}`
  const of = isMap(schema) ? schema : {}
  const { description } = of
  const said = typeof description === 'string' ? { description: cut(description) } : {}
  const common = { names, selector, ...said, required }
  // First, whatever its type: a gate takes texts as paths, and lists of them. A limit of either refuses anything else.
  if (isPath) return { ...common, kind: isList(of) ? 'paths' : 'path' }
  const type = typeOf(of)
  const choices = choicesOf(of)
  if (choices) return { ...common, kind: 'choice', choices }
  if (type === 'string') return { ...common, kind: 'text' }
  if (type === 'boolean') return { ...common, kind: 'truth' }
  if (type === 'number' || type === 'integer') {
    const [least, most] = [of.minimum, of.maximum].map((bound) =>
      typeof bound === 'number' && Number.isFinite(bound) ? bound : undefined,
    )
    const bounds = { ...(least !== undefined && { least }), ...(most !== undefined && { most }) }
    return { ...common, kind: type, ...bounds }
  }
  if (type === 'array' && isMap(of.items) && typeOf(of.items) === 'string')
    return { ...common, kind: 'texts' }
  return { ...common, kind: 'other' }
}

/** The values of an `enum` or `const`, if a person can choose among them. */
function choicesOf(
  of: Readonly<Record<string, unknown>>,
): readonly (string | number | boolean)[] | undefined {
  const all = Array.isArray(of.enum) ? of.enum : 'const' in of ? [of.const] : []
  const choices = all.filter(
    (each): each is string | number | boolean =>
      (typeof each === 'string' && each.length <= LONGEST_CHOICE) ||
      (typeof each === 'number' && Number.isFinite(each)) ||
      typeof each === 'boolean',
  )
  const isWhole = choices.length === all.length && choices.length > 0 && choices.length <= MOST_CHOICES
  return isWhole && new Set(choices).size === choices.length ? choices : undefined
}

/** Its type; of one that may be missing (`["string", "null"]`) the other. */
function typeOf({ type }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(type)) return typeof type === 'string' ? type : undefined
  const [only, ...others] = type.filter((each) => each !== 'null')
  return others.length === 0 && typeof only === 'string' ? only : undefined
}

/** Whether it is a list, and nothing else but missing. */
function isList(of: Readonly<Record<string, unknown>>): boolean {
  const several = [of.anyOf, of.oneOf].find(Array.isArray) ?? [of]
  const types = several.map((each) => (isMap(each) ? typeOf(each) : undefined))
  const [only, ...others] = types.filter((type) => type !== 'null')
  return only === 'array' && others.length === 0
}

/** A step of a selector. */
function step(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function cut(text: string): string {
  const characters = [...text.slice(0, 4 * LONGEST_DESCRIPTION)]
  return characters.length <= LONGEST_DESCRIPTION
    ? text
    : `${characters.slice(0, LONGEST_DESCRIPTION - 1).join('')}…`
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text)
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
