// Several servers as one: their tools and prompts in one list, each named after its server, and their resources.
import { refuseCall } from '../errors.ts'
import { type Kind, READ_RESOURCE } from './commands.ts'
import type { GateServer } from './gate-server.ts'
import type { Item } from './upstream.ts'

/** Between the names of a server and of its tool. Model APIs take no dots and slashes in names of tools. */
const BETWEEN = '__'
const KINDS: readonly Kind[] = ['tools', 'resources', 'templates', 'prompts']

/** How long it is remembered whose a resource is, in milliseconds: not every server tells when its list changes. */
const REMEMBERED = 5_000

/** Servers of one gate as one. */
export interface JoinedServers<S extends GateServer> extends GateServer {
  /** The server that a name belongs to, and what it is called there; undefined if there is none. */
  pick(name: string): { readonly server: S; readonly name: string } | undefined
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

  /** Asks all. @throws what the first one fails with, if all do */
  async function ask<T>(of: (server: S) => Promise<readonly T[]>): Promise<readonly T[]> {
    const answers = await Promise.allSettled(servers.map(of))
    const given = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const [failed] = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    if (given.length === 0) throw failed
    return given.flat()
  }

  /** Whose each resource was when they were listed for these grants, so that one who reads several waits for one list. */
  let kept:
    | { readonly at: number; readonly grants: string; readonly owners: ReadonlyMap<string, S> }
    | undefined
  for (const server of servers)
    server.onChange(() => {
      kept = undefined
    })

  /** What is remembered for these grants, if it isn't old. */
  function remembered(grants: readonly string[]): ReadonlyMap<string, S> | undefined {
    const isFresh = kept?.grants === grants.join('\n') && performance.now() - kept.at < REMEMBERED
    return isFresh ? kept?.owners : undefined
  }

  /** Resources or templates, each with its server. What two servers list is neither's. */
  async function resources(kind: 'resources' | 'templates', grants: readonly string[], address?: string) {
    const field = kind === 'resources' ? 'uri' : 'uriTemplate'
    const listed = await ask(async (server) =>
      (await server.list(kind, grants, address)).map((item) => ({ server, item, uri: String(item[field]) })),
    )
    const listing = new Map<string, Set<S>>()
    for (const { uri, server } of listed) listing.set(uri, (listing.get(uri) ?? new Set()).add(server))
    const own = listed.filter(({ uri }) => listing.get(uri)?.size === 1)
    if (kind === 'resources') {
      const owners = new Map(own.map(({ uri, server }) => [uri, server]))
      kept = { at: performance.now(), grants: grants.join('\n'), owners }
    }
    return own
  }

  /** The server that a resource belongs to: the one that lists it, or else the only one with a template that starts as it does. */
  async function serverOf(uri: string, grants: readonly string[]): Promise<S | undefined> {
    const before = remembered(grants)?.get(uri)
    if (before) return before
    const listing = (await resources('resources', grants)).find((each) => each.uri === uri)
    if (listing) return listing.server
    const templates = await resources('templates', grants).catch(() => [])
    const fitting = new Set<S>()
    for (const { server, uri: template } of templates) {
      const [start = ''] = template.split('{', 1)
      if (start !== '' && uri.startsWith(start)) fitting.add(server)
    }
    const [only, ...others] = fitting
    return others.length === 0 ? only : undefined
  }

  return {
    ...{ name: 'gate', gate, owners, vault, pick },
    async kinds() {
      const found = new Set(await ask((server) => server.kinds()))
      return KINDS.filter((kind) => found.has(kind))
    },
    async list(kind, grants, address) {
      if (kind === 'resources' || kind === 'templates')
        return (await resources(kind, grants, address)).map(({ item }) => item)
      return await ask(async (server) =>
        (await server.list(kind, grants, address)).flatMap((item) => named(server, item)),
      )
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
