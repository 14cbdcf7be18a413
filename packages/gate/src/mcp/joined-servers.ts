// Several servers as one: their tools and prompts in one list, each named after its server.
import { refuseCall } from '../errors.ts'
import { type Kind, READ_RESOURCE } from './commands.ts'
import type { GateServer } from './gate-server.ts'
import type { Item } from './upstream.ts'

/** Between the names of a server and of its tool. Model APIs take no dots and slashes in names of tools. */
const BETWEEN = '__'
/** What can be told apart by such names. URIs of resources can't. */
const JOINED: readonly Kind[] = ['tools', 'prompts']

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

  return {
    ...{ name: 'gate', gate, owners, vault, pick },
    async kinds() {
      const found = new Set(await ask((server) => server.kinds()))
      return JOINED.filter((kind) => found.has(kind))
    },
    list: (kind, grants) =>
      ask(async (server) => (await server.list(kind, grants)).flatMap((item) => named(server, item))),
    argsOf(command, { name, ...args }) {
      const meant = typeof name === 'string' && command !== READ_RESOURCE ? pick(name) : undefined
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
    describe: async (command, args, grants) =>
      await byName.get(String(args.server))?.describe?.(command, args, grants),
    onChange(tell) {
      for (const server of servers) server.onChange(tell)
    },
  }
}
