// The relay on the client's own origin (docs/relay.md), because the page may connect only to its own origin.
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { createRelay } from '@keyhole/relay'
import { embeddedStore } from '@keyhole/relay/embedded'
import { natsStore } from '@keyhole/relay/nats'
import { relayListener } from '@keyhole/relay/node'
import { openWhenReachable } from './waiting-relay.js'

/**
 * @typedef {object} MountedRelay
 * @property {string} place where it stores its data, for people
 * @property {string | undefined} store the store's name, another one for another store: what was sent to this one is not in that one. Undefined while it waits for NATS
 * @property {(request: import('node:http').IncomingMessage) => boolean} takes whether a request is for it
 * @property {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} handle
 * @property {() => Promise<void>} close
 */

/** An address, where a folder is expected: its password would become the name of a folder, and be printed. */
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/|^[^/\\]+@[^/\\]+:\d+$/i

/**
 * Opens the relay that the environment asks for. `KEYHOLE_RELAY` is a folder, a comma-separated list of `nats://` addresses, or `off`.
 * `KEYHOLE_RECORDS=off` keeps no records of devices. `KEYHOLE_HOSTS` lists the hosts by which people reach it, and `KEYHOLE_OWNERS` the DIDs with their own space. `KEYHOLE_PROXY=1` means
 * that a proxy in front adds each client's address last in `X-Forwarded-For`.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Promise<MountedRelay | undefined>} undefined if it is off
 * @throws {Error} if it can't be opened. For NATS it waits, and takes up its work once NATS answers
 */
export async function openRelay(env) {
  // The XDG Base Directory Specification ignores a relative path.
  const { KEYHOLE_RELAY, XDG_DATA_HOME: data = '' } = env
  const place =
    KEYHOLE_RELAY || join(isAbsolute(data) ? data : join(homedir(), '.local/share'), 'keyhole/relay')
  if (place === 'off') return undefined
  if (!place.startsWith('nats://') && place.split(',').some((each) => ADDRESS.test(each.trim())))
    throw new Error('KEYHOLE_RELAY takes a folder, nats:// addresses with commas between them, or off.')
  const isNats = place.startsWith('nats://')
  const open = isNats ? await natsOpener(place) : async () => openFolder(place)
  const mount = async () => await mountStore(await open(), env)
  // An address may contain a password.
  const shown = isNats ? 'NATS JetStream' : place
  const relay = isNats ? await openWhenReachable(mount, shown) : await mount()
  return Object.assign(relay, {
    place: shown,
    /** @param {import('node:http').IncomingMessage} request */
    takes: ({ url = '' }) => /^(?:https?:\/\/[^/?#]*)?\/relay(?:[/?]|$)/i.test(url),
  })
}

/**
 * @typedef {object} OpenedStore
 * @property {import('@keyhole/relay').RelayStore} store
 * @property {() => Promise<void>} close
 */

/**
 * Starts a relay over a store, which is closed with it.
 * @param {OpenedStore} opened
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Promise<import('./waiting-relay.js').OpenedRelay>}
 */
async function mountStore({ store, close }, env) {
  const hosts = listOf(env.KEYHOLE_HOSTS)
  let isClosed = false
  const starting = async () => {
    const name = await store.epoch()
    const relay = await createRelay({
      store,
      ...(hosts.length > 0 && { hosts }),
      owners: listOf(env.KEYHOLE_OWNERS),
      records: env.KEYHOLE_RECORDS !== 'off',
      // A read in progress at the end finds the store closed.
      onError: (error) => isClosed || console.error('The relay:', error),
    })
    return { name, relay }
  }
  const { name, relay } = await starting().catch(async (error) => {
    await close()
    throw error
  })
  return {
    store: name,
    handle: relayListener(relay, env.KEYHOLE_PROXY === '1' ? { address: addressFromProxy } : {}),
    close: async () => {
      isClosed = true
      await relay.close()
      await close()
    },
  }
}

/** @param {string} folder */
function openFolder(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const store = embeddedStore(folder)
  return { store, close: () => store.close() }
}

/**
 * With three or more servers, each message is stored on three.
 * @param {string} addresses
 * @returns {Promise<() => Promise<OpenedStore>>} what opens it
 * @throws {Error} if the addresses can't be read
 */
async function natsOpener(addresses) {
  const { connectNats, natsPlace } = await import('@keyhole/verify/nats')
  const place = natsPlace(listOf(addresses))
  return async () => {
    const connection = await connectNats(place)
    try {
      const store = await natsStore(connection, {
        replicas: place.servers.length >= 3 ? 3 : 1,
        timeout: 5_000,
      })
      const close = async () => {
        await store.close()
        await connection.close()
      }
      return { store, close }
    } catch (error) {
      await connection.close()
      throw error
    }
  }
}

/** The address that the proxy itself has added. @param {import('node:http').IncomingMessage} request */
function addressFromProxy({ headers, socket }) {
  const named = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return named || (socket.remoteAddress ?? '')
}

/** @param {string} [text] */
const listOf = (text = '') =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
