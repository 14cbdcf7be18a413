import type { OfferedApi, OfferedTool, SavedService } from '@keyhole/vault/services'

/** What a grant is about: one tool of a server, or an API. */
export type Offer =
  | {
      readonly kind: 'tool'
      readonly server: string
      readonly tool: OfferedTool
      /** Paths that the service suggests for its limits. */
      readonly suggest: readonly string[]
    }
  | { readonly kind: 'api'; readonly api: OfferedApi }

/** The limits that every grant of an offer has: where it is, and which tool. */
export function offerPolicy(offer: Offer): unknown[] {
  return offer.kind === 'tool'
    ? [
        ['==', '.server', offer.server],
        ['==', '.name', offer.tool.name],
      ]
    : [['==', '.service', offer.api.name]]
}

/**
 * Other services with a server or API of this name: a grant says the name, not the gate, so it works there too.
 * @returns their DIDs
 */
export function alsoAt(services: Iterable<SavedService>, did: string, offer: Offer): string[] {
  return [...services].flatMap((other) => {
    if (other.did === did) return []
    const names = (offer.kind === 'tool' ? other.servers : other.services).map(({ name }) => name)
    return names.includes(offer.kind === 'tool' ? offer.server : offer.api.name) ? [other.did] : []
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
      servers.flatMap(({ name, tools }) =>
        tools.map((tool) => [`${name}: ${tool.name}`, JSON.stringify(tool)] as const),
      ),
    )
  const [was, is] = [told(before), told(after)]
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    gone: [...was.keys()].filter((name) => !is.has(name)),
    different: [...is].flatMap(([name, text]) => (was.has(name) && was.get(name) !== text ? [name] : [])),
  }
}
