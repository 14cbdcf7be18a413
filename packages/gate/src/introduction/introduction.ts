// How a gate introduces itself to a vault: what it is called, where it is, and what it offers (docs/services.md).
import type { Reply } from '@keyhole/holder'
import { isRecord } from '../calls/arguments.ts'
import { GateError } from '../errors.ts'

/** A tool that grants can be about. */
export interface OfferedTool {
  readonly name: string
  /** The server's words. */
  readonly description?: string
  /** The JSON Schema of its arguments, as the server says. */
  readonly schema?: unknown
  /** Names of its arguments that are paths. */
  readonly paths: readonly string[]
}

/** A resource that grants can be about, or a template of resources (RFC 6570). */
export interface OfferedResource {
  readonly uri: string
  /** The server's words. */
  readonly name?: string
  readonly description?: string
}

/** What a server offers. */
export interface Offers {
  readonly tools: readonly OfferedTool[]
  /** Prompts, with a schema of their arguments. */
  readonly prompts?: readonly OfferedTool[]
  readonly resources?: readonly OfferedResource[]
  readonly templates?: readonly OfferedResource[]
}

export interface OfferedServer extends Offers {
  readonly name: string
  /** Paths that the gate suggests for limits, such as `/home/me/notes/*`. */
  readonly suggest?: readonly string[]
  /** How many more tools it has than are listed here, and how many more prompts, resources and templates. */
  readonly more?: number
  readonly moreOthers?: number
}

export interface OfferedService {
  readonly name: string
  readonly methods: readonly string[]
  /** Paths that the gate suggests for limits, such as `/repos/*`. */
  readonly paths?: readonly string[]
}

export interface Introduction {
  /** What the gate calls itself. */
  readonly name: string
  /** When it was written, in seconds since 1970. */
  readonly at: number
  /** Where agents reach it over HTTP, if it is a process of its own. */
  readonly address?: string
  /** Where the owner's answer goes, while the gate waits for one. */
  readonly reply?: Reply
  readonly servers: readonly OfferedServer[]
  readonly services: readonly OfferedService[]
}

/** The prefix of an introduction as text. */
export const INTRODUCTION = 'keyhole-service-1.'
/** The command of the signed introduction. */
export const INTRODUCE = '/service/introduce'
/** For how long an introduction can be opened, in seconds: a week. */
export const INTRODUCTION_LIFETIME = 604_800

/** Longest introduction as JSON, in characters. It becomes a third of that, or less, as a link. */
export const LONGEST_INTRODUCTION = 49_152
/** Longest name of a gate, in characters. */
const LONGEST_NAME = 60
const LONGEST_ADDRESS = 2_048
/** Most tools of a server, servers and services together, and suggested paths of a service. */
const MOST_TOOLS = 200
const MOST_OFFERS = 50
const MOST_PATHS = 50
/** Most prompts of a server, resources, and templates. One with a longer URI isn't offered. */
const MOST_OTHERS = 100
const LONGEST_URI = 1_024
/** A tool's name that is longer isn't offered. */
const LONGEST_TOOL_NAME = 128
/** Descriptions are cut to this many characters, and shorter where there are many. */
const SHORTEST = 80
const DESCRIPTIONS = [600, 200, SHORTEST]
/** Longest schema of one tool, as JSON, and shorter where there are many. */
const LONGEST_SCHEMA = 16_384
const SCHEMAS = [8_192, 4_096, 2_048, 1_024, 512]
/** A schema that is nested deeper isn't offered: the vault reads none. */
const DEEPEST_SCHEMA = 64
/** Parts of a schema whose keys are names, such as those of arguments. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** Parts of a schema that are values, not schemas. */
const VALUES = new Set(['const', 'enum', 'default'])

/**
 * An introduction as JSON, cut to a length: first descriptions, then the longest schemas, then tools.
 * Nothing in it is cut so that it means something else: what doesn't fit is left out, and counted.
 *
 * @throws GateError INVALID_CONFIG if the name or the address can't be used
 */
export function introductionText(given: Introduction, most = LONGEST_INTRODUCTION): string {
  const { name, at, address, reply, servers, services } = given
  if (name.trim() === '' || [...name].length > LONGEST_NAME)
    throw new GateError('INVALID_CONFIG', `The gate's name has 1 to ${LONGEST_NAME} characters.`)
  if (address !== undefined && !isAddress(address))
    throw new GateError(
      'INVALID_CONFIG',
      "The gate's address is an https URL, or http on this machine, without user, query and fragment.",
    )
  const bounded: Introduction = {
    name,
    at,
    ...(address !== undefined && { address }),
    ...(reply && { reply }),
    servers: servers.slice(0, MOST_OFFERS).map(withoutExcess),
    services: services
      .slice(0, Math.max(0, MOST_OFFERS - servers.length))
      .map(({ paths = [], ...rest }) => ({ ...rest, paths: paths.slice(0, MOST_PATHS) })),
  }
  for (const length of DESCRIPTIONS) {
    const text = JSON.stringify(withDescriptions(bounded, length))
    if (text.length <= most) return text
  }
  const short = withDescriptions(bounded, SHORTEST)
  for (const longest of SCHEMAS) {
    const text = JSON.stringify(withSchemas(short, longest))
    if (text.length <= most) return text
  }
  for (let cut = withoutOthers(withSchemas(short, 0)); ; ) {
    const text = JSON.stringify(cut)
    if (text.length <= most) return text
    const fewer = withFewerTools(cut)
    if (!fewer) throw new GateError('INVALID_CONFIG', 'What the gate offers is too long to introduce.')
    cut = fewer
  }
}

function isAddress(text: string): boolean {
  if (text.length > LONGEST_ADDRESS || !URL.canParse(text) || !/^https?:\/\/[^@?#\\]+$/.test(text))
    return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

function withoutExcess(server: OfferedServer): OfferedServer {
  const { name, suggest = [], more = 0, moreOthers = 0 } = server
  const { tools, prompts = [], resources = [], templates = [] } = server
  const [kept, keptPrompts] = [boundedTools(tools, MOST_TOOLS), boundedTools(prompts, MOST_OTHERS)]
  const keptResources = boundedResources(resources)
  const keptTemplates = boundedResources(templates)
  const left = more + tools.length - kept.length
  const others =
    [prompts, resources, templates].flat().length - [keptPrompts, keptResources, keptTemplates].flat().length
  return {
    name,
    tools: kept,
    ...(keptPrompts.length > 0 && { prompts: keptPrompts }),
    ...(keptResources.length > 0 && { resources: keptResources }),
    ...(keptTemplates.length > 0 && { templates: keptTemplates }),
    ...(moreOthers + others > 0 && { moreOthers: moreOthers + others }),
    ...(suggest.length > 0 && { suggest: suggest.slice(0, MOST_PATHS) }),
    ...(left > 0 && { more: left }),
  }
}

/** Those that a vault can tell apart by what they are called: it refuses the whole introduction otherwise. Of several, the first. */
function called<T>(items: readonly T[], nameOf: (item: T) => string, longest: number): readonly T[] {
  const seen = new Set([''])
  return items.filter((item) => {
    const name = nameOf(item)
    if (name.length > longest || seen.has(name)) return false
    seen.add(name)
    return true
  })
}

function boundedResources(resources: readonly OfferedResource[]): readonly OfferedResource[] {
  return called(resources, ({ uri }) => uri, LONGEST_URI).slice(0, MOST_OTHERS)
}

function boundedTools(tools: readonly OfferedTool[], most: number): readonly OfferedTool[] {
  const named = called(tools, ({ name }) => name, LONGEST_TOOL_NAME)
  return named.slice(0, most).map((tool) => {
    const { schema, ...rest } = tool
    if (schema === undefined || isDeeper(schema, DEEPEST_SCHEMA)) return rest
    return JSON.stringify(shortened(schema, SHORTEST)).length > LONGEST_SCHEMA ? rest : tool
  })
}

function withDescriptions(given: Introduction, most: number): Introduction {
  return {
    ...given,
    servers: given.servers.map(({ prompts, resources, templates, ...server }) => ({
      ...server,
      tools: server.tools.map((tool) => described(tool, most)),
      ...(prompts && { prompts: prompts.map((prompt) => described(prompt, most)) }),
      ...(resources && { resources: resources.map((each) => namedWithin(each, most)) }),
      ...(templates && { templates: templates.map((each) => namedWithin(each, most)) }),
    })),
  }
}

function namedWithin({ name, description, ...resource }: OfferedResource, most: number): OfferedResource {
  return {
    ...resource,
    ...(name !== undefined && { name: cut(name, most) }),
    ...(description !== undefined && { description: cut(description, most) }),
  }
}

function described({ description, schema, ...tool }: OfferedTool, most: number): OfferedTool {
  return {
    ...tool,
    ...(description !== undefined && { description: cut(description, most) }),
    ...(schema !== undefined && { schema: shortened(schema, most) }),
  }
}

/** A schema with its texts for people cut. What it allows stays as it is. */
function shortened(schema: unknown, most: number): unknown {
  if (Array.isArray(schema)) return schema.map((each) => shortened(each, most))
  if (!isRecord(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$schema' && key !== 'examples')
      .map(([key, value]) => [key, shortenedPart(key, value, most)]),
  )
}

function shortenedPart(key: string, value: unknown, most: number): unknown {
  if (VALUES.has(key)) return value
  if (key === 'description' && typeof value === 'string') return cut(value, most)
  if (!BY_NAME.has(key) || !isRecord(value)) return shortened(value, most)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each, most)]))
}

/** Whether JSON is nested to more levels than these. */
function isDeeper(json: unknown, levels: number): boolean {
  if (typeof json !== 'object' || json === null) return false
  return levels === 0 || Object.values(json).some((each) => isDeeper(each, levels - 1))
}

function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

function withSchemas(given: Introduction, longest: number): Introduction {
  return {
    ...given,
    servers: given.servers.map((server) => ({
      ...server,
      tools: server.tools.map((tool) => withSchema(tool, longest)),
      ...(server.prompts && { prompts: server.prompts.map((prompt) => withSchema(prompt, longest)) }),
    })),
  }
}

function withSchema({ schema, ...tool }: OfferedTool, longest: number): OfferedTool {
  return schema === undefined || JSON.stringify(schema).length > longest ? tool : { ...tool, schema }
}

/** Without prompts, resources and templates, which are counted. */
function withoutOthers(given: Introduction): Introduction {
  return {
    ...given,
    servers: given.servers.map(
      ({ prompts = [], resources = [], templates = [], moreOthers = 0, ...server }) => {
        const left = moreOthers + prompts.length + resources.length + templates.length
        return { ...server, ...(left > 0 && { moreOthers: left }) }
      },
    ),
  }
}

/** Without a tenth of the tools of the server that has most. */
function withFewerTools(given: Introduction): Introduction | undefined {
  const most = Math.max(0, ...given.servers.map(({ tools }) => tools.length))
  const at = given.servers.findIndex(({ tools }) => tools.length === most)
  const server = given.servers[at]
  if (!server || most === 0) return undefined
  const tools = server.tools.slice(0, Math.floor(most * 0.9))
  const fewer = { ...server, tools, more: (server.more ?? 0) + most - tools.length }
  return { ...given, servers: given.servers.map((each, place) => (place === at ? fewer : each)) }
}
