// How much memory a relay needs for ten thousand listeners, and how soon the last one hears of a revocation, with all of them on one feed
// and with a feed each. Compared with a server of the same events that checks and stores nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from '../vectors/generate/container.mjs'
import { alice, bob, key } from '../vectors/generate/keys.mjs'
import { delegate, invoke } from '../vectors/generate/token.mjs'
import { expect, median } from './measure.mjs'

const LISTENERS = 10_000
/** Addresses that they come from. The relay's limits for one address are its own, as in use. */
const ADDRESSES = 200
/** Connections opened at a time. */
const AT_ONCE = 100
const ROUNDS = 5

/** @param {string[]} args */
async function start(...args) {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'relay/server.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(server.stdout, 'data')
  return { server, port: Number(said) }
}

/** Megabytes that a process uses now, and the most it used. @param {number | undefined} pid */
function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (/** @type {string} */ name) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024
  return { now: of('VmRSS'), most: of('VmHWM') }
}

/** A listener. @param {number} port @param {string} token @param {number} at Its number */
async function listen(port, token, at) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${(at % ADDRESSES) + 1}` })
  const listener = { socket, heard: 0, onHeard: () => {} }
  socket.setEncoding('latin1')
  socket.on('data', (data) => {
    if (!data.includes('event: revocation')) return
    listener.heard += 1
    listener.onHeard()
  })
  socket.write(
    `GET /relay/revocations HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  const [first] = await once(socket, 'data')
  expect(String(first).startsWith('HTTP/1.1 200'), `a listener was answered ${String(first).slice(0, 100)}`)
  return listener
}

/** @param {number} port @param {(at: number) => string} tokenOf */
async function listenAll(port, tokenOf) {
  /** @type {Awaited<ReturnType<typeof listen>>[]} */
  const all = []
  while (all.length < LISTENERS) {
    const next = Array.from({ length: AT_ONCE }, (_, at) => {
      const number = all.length + at
      return listen(port, tokenOf(number), number)
    })
    all.push(...(await Promise.all(next)))
  }
  return all
}

/** An invocation that reads one's own feed, as text. @param {import('../vectors/generate/keys.mjs').Key} by @param {number} port */
function reading(by, port) {
  const exp = Math.floor(Date.now() / 1_000) + 3_600
  return text([invoke({ by, cmd: '/relay/revocations/read', aud: `did:web:127.0.0.1%3A${port}`, exp })])
}

/** A grant by alice, and its revocation. @param {number} number */
function revoked(number) {
  const grant = delegate({ from: alice, to: bob, nonce: Buffer.from(`${number}`.padStart(12, '0')) })
  const args = { revoke: grant.link }
  const revocation = invoke({ by: alice, cmd: '/ucan/revoke', args, nonce: Buffer.alloc(0), exp: null })
  return JSON.stringify({ revocation: text([revocation]), token: text([grant]) })
}

/**
 * @param {string} kind @param {(port: number) => (at: number) => string} tokensFor @param {(at: number) => boolean} hears Whose feed gets the message
 */
async function measure(kind, tokensFor, hears) {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const { server, port } = await start(kind, join(folder, 'data'))
  const empty = memory(server.pid)
  const listeners = await listenAll(port, tokensFor(port))
  const hearing = listeners.filter((_, at) => hears(at))
  const waits = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const all = Promise.all(
      hearing.map(
        (listener) =>
          new Promise((resolve) => {
            listener.onHeard = () => resolve(undefined)
          }),
      ),
    )
    const begun = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/relay/revocations`, {
      method: 'POST',
      body: revoked(round),
    })
    expect(answer.status === 201, `a revocation was answered ${answer.status}`)
    await all
    if (round > 0) waits.push(performance.now() - begun)
  }
  // Long enough for the relay to check all feeds, and to settle after that.
  await new Promise((resolve) => setTimeout(resolve, 25_000))
  expect(
    hearing.every(({ heard }) => heard === ROUNDS + 1),
    'somebody did not hear everything',
  )
  expect(
    listeners.every(({ socket }) => !socket.destroyed),
    'somebody was let go of',
  )
  const full = memory(server.pid)
  for (const { socket } of listeners) socket.destroy()
  const ended = once(server, 'exit')
  server.kill()
  await ended
  rmSync(folder, { recursive: true })
  return { empty, full, wait: median(waits) }
}

export async function figures() {
  const one = await measure(
    'relay',
    (port) => {
      const token = reading(alice, port)
      return () => token
    },
    () => true,
  )
  const many = await measure(
    'relay',
    (port) => {
      const alices = reading(alice, port)
      return (at) => (at === 0 ? alices : reading(key(`owner ${at}`, 'ed25519'), port))
    },
    (at) => at === 0,
  )
  const bare = await measure(
    'bare',
    () => () => 'none',
    () => true,
  )
  const each = ({ empty, full }) => ((full.now - empty.now) * 1_024) / LISTENERS
  const bar = 1_024
  expect(one.full.most <= bar && many.full.most <= bar, `10,000 listeners take more than ${bar} MiB`)
  return [
    {
      title: `Memory with ${LISTENERS.toLocaleString('en-GB')} listeners`,
      note: `The most that the process had in memory. Empty, the relay has ${one.empty.now.toFixed(0)} MiB and the bare server ${bare.empty.now.toFixed(0)}; each listener takes ${each(one).toFixed(1)} KiB of one feed, ${each(many).toFixed(1)} KiB of a feed of its own, and ${each(bare).toFixed(1)} KiB of the bare server. Bar: 1,024 MiB.`,
      better: /** @type {const} */ ('less'),
      rows: [
        { name: 'Keyhole relay, one feed', unit: 'MiB', value: one.full.most },
        { name: 'Keyhole relay, as many feeds', unit: 'MiB', value: many.full.most },
        { name: 'node:http, which checks and keeps nothing', unit: 'MiB', value: bare.full.most },
      ],
    },
    {
      title: 'From a revocation that is posted to the last of those who listen to it',
      note: 'Client and server share the two cores.',
      better: /** @type {const} */ ('less'),
      rows: [
        {
          name: `Keyhole relay, ${LISTENERS.toLocaleString('en-GB')} of one feed`,
          unit: 'ms',
          value: one.wait,
        },
        { name: `Keyhole relay, one of as many feeds`, unit: 'ms', value: many.wait },
        { name: 'node:http, which checks and keeps nothing', unit: 'ms', value: bare.wait },
      ],
    },
  ]
}
