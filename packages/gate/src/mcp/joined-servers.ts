// Several servers as one: their tools and prompts in one list, each named after its server, and their resources.
import { refuseCall } from '../errors.ts'
import { type Kind, READ_RESOURCE } from './commands.ts'
import type { GateServer } from './gate-server.ts'
import type { Item } from './upstream.ts'

/** Between the names of a server and of its tool. Model APIs take no dots and slashes in names of tools. */
const BETWEEN = '__'
const KINDS: readonly Kind[] = ['tools', 'resources', 'templates', 'prompts']

/** Whose each resource is, is asked again after so many milliseconds: not every server tells when its list changes. */
const REMEMBERED = 5_000

/** Servers of one gate as one. */
export interface JoinedServers<S extends GateServer> extends GateServer {
  /** The server that a name belongs to, and what it is called there; undefined if there is none. */
  pick(name: string): { readonly server: S; readonly name: string } | undefined
}

type Resources = 'resources' | 'templates'

interface Owned<S> {
  readonly server: S
  readonly uri: string
}

interface Listed<S> {
  readonly own: readonly (Owned<S> & { readonly item: Item })[]
  readonly owners: ReadonlyMap<string, S>
}

/** Resources as they were listed for these grants at this time. */
interface Kept<S> {
  readonly at: number
  readonly changes: number
  readonly grants: string
  readonly uris: readonly (readonly Owned<S>[] | undefined)[]
  readonly owners: ReadonlyMap<string, S>
}

/** What only one server lists. */
function ownOf<S, T extends Owned<S>>(lists: readonly (readonly T[] | undefined)[]): readonly T[] {
  const all = lists.flatMap((each) => each ?? [])
  const listing = new Map<string, Set<S>>()
  for (const { uri, server } of all) listing.set(uri, (listing.get(uri) ?? new Set()).add(server))
  return all.filter(({ uri }) => listing.get(uri)?.size === 1)
}

/** Joins the servers of one gate. One that gives no list is left out of it, unless none does. */
export function joinServers<S extends GateServer>(first: S, ...more: readonly S[]): JoinedServers<S> {
  const servers = [first, ...more]
  const byName = new Map(servers.map((server) => [server.name, server]))
  // Of `a` and `a__b`, the longer name is meant. What of `a` is called like that is not listed.
  const longestFirst = servers.toSorted((a, b) => b.name.length - a.name.length)
  const { gate, owners, vault } = first

  function pick(name: string) {
    const server = longestFirst.find((each) => name.startsWith(each.name + BETWEEN))
    return server && { server, name: name.slice(server.name.length + BETWEEN.length) }
  }

  function named(server: S, item: Item): readonly Item[] {
    const name = server.name + BETWEEN + String(item.name)
    return pick(name)?.server === server ? [{ ...item, name }] : []
  }

  /** Asks all. @returns each one's list, undefined if it gives none. @throws what the first one fails with, if all do */
  async function ask<T>(of: (server: S) => Promise<readonly T[]>): Promise<(readonly T[] | undefined)[]> {
    const answers = await Promise.allSettled(servers.map(of))
    const [failed] = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    if (answers.every(({ status }) => status === 'rejected')) throw failed
    return answers.map((each) => (each.status === 'fulfilled' ? each.value : undefined))
  }

  /** Rises with each change that a server tells of. */
  let changes = 0
  for (const server of servers)
    server.onChange(() => {
      changes += 1
    })

  /** Whose each resource was when they were last listed. */
  let kept: Kept<S> | undefined
  /** The lists under way, so that those who read at the same time wait for one. */
  const underWay = new Map<string, Promise<Listed<S>>>()

  /** Resources or templates, each with its server. What two servers list is neither's. */
  async function resources(kind: Resources, grants: readonly string[], address?: string): Promise<Listed<S>> {
    const field = kind === 'resources' ? 'uri' : 'uriTemplate'
    const began = { at: performance.now(), changes, grants: grants.join('\n') }
    const lists = await ask(async (server) =>
      (await server.list(kind, grants, address)).map((item) => ({ server, item, uri: String(item[field]) })),
    )
    const own = ownOf(lists)
    if (kind === 'templates') return { own, owners: new Map() }
    const last = kept?.grants === began.grants ? kept : undefined
    // One that gives no list this time still has what it had.
    const uris = lists.map((list, at) => list?.map(({ server, uri }) => ({ server, uri })) ?? last?.uris[at])
    const owners = new Map(ownOf(uris).map(({ uri, server }) => [uri, server]))
    if (!last || last.at <= began.at) kept = { ...began, uris, owners }
    return { own, owners }
  }

  /** As `resources`, but once for all who ask meanwhile. */
  function shared(kind: Resources, grants: readonly string[]): Promise<Listed<S>> {
    const key = [kind, changes, ...grants].join('\n')
    const listing = underWay.get(key) ?? resources(kind, grants).finally(() => underWay.delete(key))
    underWay.set(key, listing)
    return listing
  }

  /** The server that a resource belongs to: the one that lists it, or else the only one with a template that starts as it does. */
  async function serverOf(uri: string, grants: readonly string[]): Promise<S | undefined> {
    const last = kept?.grants === grants.join('\n') ? kept : undefined
    const before = last?.owners.get(uri)
    if (last && before) {
      const isOld = last.changes !== changes || performance.now() - last.at >= REMEMBERED
      // No one waits for a server that may take minutes.
      if (isOld) shared('resources', grants).catch(() => {})
      return before
    }
    const owner = (await shared('resources', grants)).owners.get(uri)
    if (owner) return owner
    const templates = await shared('templates', grants).catch(() => undefined)
    const fitting = new Set<S>()
    for (const { server, uri: template } of templates?.own ?? []) {
      const [start = ''] = template.split('{', 1)
      if (start !== '' && uri.startsWith(start)) fitting.add(server)
    }
    const [only, ...others] = fitting
    return others.length === 0 ? only : undefined
  }

  return {
    ...{ name: 'gate', gate, owners, vault, pick },
    async kinds() {
      const found = new Set((await ask((server) => server.kinds())).flatMap((each) => each ?? []))
      return KINDS.filter((kind) => found.has(kind))
    },
    async list(kind, grants, address) {
      if (kind === 'resources' || kind === 'templates')
        return (await resources(kind, grants, address)).own.map(({ item }) => item)
      const lists = await ask(async (server) =>
        (await server.list(kind, grants, address)).flatMap((item) => named(server, item)),
      )
      return lists.flatMap((each) => each ?? [])
    },
    async argsOf(command, { name, ...args }, grants) {
      if (command === READ_RESOURCE) {
        const server = await serverOf(String(args.uri), await grants())
        if (server) return { server: server.name, ...args }
        return refuseCall(
          'UnknownServer',
          `No grant reaches this resource, or several servers have it. Start keyhole mcp with --server and one of ${[...byName.keys()].join(', ')} to ask for it.`,
        )
      }
      const meant = typeof name === 'string' ? pick(name) : undefined
      if (!meant)
        return refuseCall(
          'UnknownTool',
          `Name it with its server, as in ${first.name}${BETWEEN}NAME. There is ${[...byName.keys()].join(', ')}.`,
        )
      return { server: meant.server.name, name: meant.name, ...args }
    },
    async call(token, signal, said, talk) {
      const server = byName.get(String(said?.args.server))
      if (!server) return refuseCall('UnknownServer', 'The gate has no server of this name.')
      return await server.call(token, signal, said, talk)
    },
    async watch(uri, grants, tell) {
      const server = await serverOf(uri, grants)
      return await server?.watch?.(uri, grants, tell)
    },
    describe: async (command, args, grants) =>
      await byName.get(String(args.server))?.describe?.(command, args, grants),
    onChange(tell) {
      for (const server of servers) server.onChange(tell)
    },
  }
}
