import type { OfferedApi, OfferedResource, OfferedTool, SavedService } from '@keyhole/vault/services'

/** What a grant is about: one tool, prompt or resource of a server, or an API. */
export type Offer =
  | {
      /** A prompt has arguments as a tool has. */
      readonly kind: 'tool' | 'prompt'
      readonly server: string
      readonly tool: OfferedTool
      /** Paths that the service suggests for its limits. */
      readonly suggest: readonly string[]
    }
  | { readonly kind: 'resource'; readonly server: string; readonly resource: OfferedResource }
  | { readonly kind: 'api'; readonly api: OfferedApi }

const COMMANDS = {
  tool: '/mcp/tools/call',
  prompt: '/mcp/prompts/get',
  resource: '/mcp/resources/read',
} as const

/** What an offer is called. */
export function offerName(offer: Offer): string {
  switch (offer.kind) {
    case 'api':
      return offer.api.name
    case 'resource':
      return offer.resource.uri
    default:
      return offer.tool.name
  }
}

/** What the service says of it. */
export function offerDescription(offer: Offer): string | undefined {
  if (offer.kind === 'api') return undefined
  if (offer.kind !== 'resource') return offer.tool.description
  const { name, description } = offer.resource
  const said = [name, description].filter((each) => each !== undefined && each !== '')
  return said.length === 0 ? undefined : said.join(': ')
}

/** The command of a grant. @param method of an API */
export function offerCommand(offer: Offer, method: string): string {
  return offer.kind === 'api' ? `/http/${method.toLowerCase()}` : COMMANDS[offer.kind]
}

/** The limits that every grant of an offer has: where it is, and which tool. */
export function offerPolicy(offer: Offer): unknown[] {
  if (offer.kind === 'api') return [['==', '.service', offer.api.name]]
  const place = ['==', '.server', offer.server]
  if (offer.kind !== 'resource') return [place, ['==', '.name', offerName(offer)]]
  const { uri, isTemplate = false } = offer.resource
  return [place, isTemplate ? ['like', '.uri', anyOf(uri)] : ['==', '.uri', uri]]
}

/** What a template of URIs can become, as a pattern: anything in the place of each expression. */
function anyOf(template: string): string {
  return template.replace(/\*/g, '\\*').replace(/\{[^}]*\}?/g, '*')
}

/**
 * Other services with a server or API of this name: a grant says the name, not the gate, so it works there too.
 * @returns their DIDs
 */
export function alsoAt(services: Iterable<SavedService>, did: string, offer: Offer): string[] {
  return [...services].flatMap((other) => {
    if (other.did === did) return []
    const names = (offer.kind === 'api' ? other.services : other.servers).map(({ name }) => name)
    return names.includes(offer.kind === 'api' ? offer.api.name : offer.server) ? [other.did] : []
  })
}

/** What an introduction changes about a service that was saved before: names of tools, with their servers. */
export interface Changed {
  readonly added: readonly string[]
  readonly gone: readonly string[]
  readonly different: readonly string[]
}

/** The tools that are new, gone, or described differently. */
export function changesOf(
  before: Pick<SavedService, 'servers'>,
  after: Pick<SavedService, 'servers'>,
): Changed {
  const told = ({ servers }: Pick<SavedService, 'servers'>) =>
    new Map(
      servers.flatMap(({ name, tools, prompts, resources, templates }) => [
        ...tools.map((tool) => [`${name}: ${tool.name}`, JSON.stringify(tool)] as const),
        ...prompts.map((prompt) => [`${name}: prompt ${prompt.name}`, JSON.stringify(prompt)] as const),
        ...[...resources, ...templates].map(
          (resource) => [`${name}: ${resource.uri}`, JSON.stringify(resource)] as const,
        ),
      ]),
    )
  const [was, is] = [told(before), told(after)]
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    gone: [...was.keys()].filter((name) => !is.has(name)),
    different: [...is].flatMap(([name, text]) => (was.has(name) && was.get(name) !== text ? [name] : [])),
  }
}
