// What a service says of itself (docs/services.md). All of it is a stranger's text until the owner saves it, and stays the service's word.
import * as v from 'valibot'

/** Longest introduction as text, and as JSON, in characters. */
export const LONGEST_INTRODUCTION_TEXT = 131_072
const LONGEST_JSON = 65_536
/** Most servers and APIs together, tools of a server, and suggested paths. */
const MOST_OFFERS = 50
const MOST_TOOLS = 200
const MOST_PATHS = 50

/** Deepest schema of a tool, in levels. What compares or walks one could otherwise run out of stack. */
const DEEPEST_SCHEMA = 64

/** At most so many characters, as a person counts them. */
const text = (most: number) =>
  v.pipe(
    v.string(),
    v.check((given) => [...given].length <= most),
  )
const offerName = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]{0,39}$/))
const toolName = v.pipe(text(128), v.nonEmpty())
const apart = (named: readonly { readonly name: string }[]) =>
  new Set(named.map(({ name }) => name)).size === named.length

/** An https URL, or one of this machine, without anything that hides where it leads. */
const address = v.pipe(
  v.string(),
  v.maxLength(2_048),
  v.regex(/^https?:\/\/[^@?#\\\s]+$/),
  v.check((given) => {
    if (!URL.canParse(given)) return false
    const { protocol, hostname } = new URL(given)
    return protocol === 'https:' || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  }),
)

/** Paths that a service suggests for limits. */
const suggested = v.optional(
  v.pipe(v.array(v.pipe(text(256), v.startsWith('/'))), v.maxLength(MOST_PATHS)),
  [],
)

const tool = v.object({
  name: toolName,
  description: v.exactOptional(text(1_000)),
  /** JSON Schema of its arguments. `toolFields` reads what it understands of it. */
  schema: v.exactOptional(v.unknown()),
  /** Names of its arguments that are paths. */
  paths: v.pipe(v.array(toolName), v.maxLength(MOST_PATHS)),
})
const resource = v.object({
  uri: v.pipe(text(1_024), v.regex(/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/)),
  name: v.exactOptional(text(1_000)),
  description: v.exactOptional(text(1_000)),
})
/** A template of resources (RFC 6570), such as `doc://letters/{id}`: older services list none. */
const template = v.pipe(
  resource,
  v.check(({ uri }) => uri.includes('{')),
  v.transform((given) => ({ ...given, isTemplate: true as const })),
)
const left = v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)))
const server = v.object({
  name: offerName,
  tools: v.pipe(
    v.array(tool),
    v.maxLength(MOST_TOOLS),
    v.check((all) => apart(all)),
  ),
  prompts: v.optional(
    v.pipe(
      v.array(tool),
      v.maxLength(MOST_TOOLS),
      v.check((all) => apart(all)),
    ),
    [],
  ),
  resources: v.optional(
    v.pipe(
      v.array(resource),
      v.maxLength(MOST_TOOLS),
      v.check((all) => new Set(all.map(({ uri }) => uri)).size === all.length),
    ),
    [],
  ),
  templates: v.optional(
    v.pipe(
      v.array(template),
      v.maxLength(MOST_TOOLS),
      v.check((all) => new Set(all.map(({ uri }) => uri)).size === all.length),
    ),
    [],
  ),
  suggest: suggested,
  /** How many more tools it has, and how many more prompts, resources and templates. */
  more: left,
  moreOthers: left,
})
const api = v.object({
  name: offerName,
  methods: v.pipe(
    v.array(v.picklist(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])),
    v.minLength(1),
    v.maxLength(6),
  ),
  paths: suggested,
})

const introduction = v.object({
  name: v.pipe(text(60), v.regex(/\S/)),
  /** When it was written, by the service's clock, in seconds since 1970. */
  at: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  address: v.exactOptional(address),
  /** Where its owner's answer goes. Whoever answers reads it. */
  reply: v.exactOptional(v.unknown()),
  servers: v.pipe(
    v.array(server),
    v.maxLength(MOST_OFFERS),
    v.check((all) => apart(all)),
  ),
  services: v.pipe(
    v.array(api),
    v.maxLength(MOST_OFFERS),
    v.check((all) => apart(all)),
  ),
})

export type OfferedTool = v.InferOutput<typeof tool>
/** A resource, or a template of some. */
export type OfferedResource = v.InferOutput<typeof resource> & { readonly isTemplate?: true }
export type OfferedServer = v.InferOutput<typeof server>
export type OfferedApi = v.InferOutput<typeof api>
/** What a service is called and offers. */
export type Introduction = v.InferOutput<typeof introduction>

/** Why JSON is no introduction: it has another form, or a schema in it is nested without need. */
export type FormProblem = 'damaged' | 'too-deep'

/** Reads an introduction's JSON. Unknown fields are left out. */
export function introductionOf(json: unknown): Introduction | FormProblem {
  if (typeof json !== 'string' || json.length > LONGEST_JSON) return 'damaged'
  try {
    const read = v.safeParse(introduction, JSON.parse(json))
    if (!read.success) return 'damaged'
    const schemas = read.output.servers.flatMap(({ tools, prompts }) =>
      [...tools, ...prompts].map(({ schema }) => schema),
    )
    return schemas.some((schema) => isDeeper(schema, DEEPEST_SCHEMA)) ? 'too-deep' : read.output
  } catch {
    return 'damaged'
  }
}

/** Whether JSON is nested to more levels than these. */
function isDeeper(json: unknown, levels: number): boolean {
  if (typeof json !== 'object' || json === null) return false
  return levels === 0 || Object.values(json).some((each) => isDeeper(each, levels - 1))
}
