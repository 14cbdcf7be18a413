// How many calls a second can be counted, in a folder and in a NATS cluster of three that writes each message to the disk: claims, and
// calls of one budget that all of them share. One after another, and 64 at a time.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedClaims } from '@keyhole/verify/embedded'
import { natsClaims } from '@keyhole/verify/nats'
import { natsNodes } from '../../scripts/cluster/nats.mjs'
import { natsServer } from '../../scripts/cluster/nats-server.mjs'
import { median } from '../measure.mjs'

const ROUNDS = 5
const MILLISECONDS = 1_000
const MANY = 64

/** @typedef {Awaited<ReturnType<typeof natsClaims>>} Store */

/** Calls a second, the median of the rounds. @param {() => Promise<unknown>} call @param {number} writers */
async function rate(call, writers) {
  const all = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const start = performance.now()
    let calls = 0
    const write = async () => {
      while (performance.now() - start < MILLISECONDS) {
        await call()
        calls += 1
      }
    }
    await Promise.all(Array.from({ length: writers }, write))
    if (round > 0) all.push(calls / ((performance.now() - start) / 1_000))
  }
  return median(all)
}

/** @param {string} name @param {Store} store */
async function rows(name, store) {
  const now = Math.floor(Date.now() / 1_000)
  let made = 0
  const claim = () => {
    made += 1
    return store.claim(`call ${made}`, now + 3_600, now)
  }
  const spend = () => store.spend([{ id: 'budget', amount: 1, most: 1e9, until: now + 3_600 }], now)
  return [
    { name: `${name}: claims, one after another`, unit: '/s', value: await rate(claim, 1) },
    { name: `${name}: claims, ${MANY} at a time`, unit: '/s', value: await rate(claim, MANY) },
    { name: `${name}: one budget, one after another`, unit: '/s', value: await rate(spend, 1) },
    { name: `${name}: one budget, ${MANY} at a time`, unit: '/s', value: await rate(spend, MANY) },
  ]
}

async function inCluster(/** @type {string} */ program, /** @type {string} */ folder) {
  const { connect } = await import('@nats-io/transport-node')
  const listeners = Array.from({ length: 6 }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(listeners.map((each) => once(each, 'listening')))
  const ports = listeners.map((each) => Number(Object(each.address()).port))
  await Promise.all(listeners.map((each) => new Promise((done) => each.close(done))))
  const nodes = natsNodes(program, folder, ports)
  const servers = await Promise.all(nodes.map(({ start }) => start()))
  const connection = await connect({ servers: nodes.map(({ address }) => address) })
  try {
    return await rows('NATS, three servers', await opened(connection))
  } finally {
    await connection.close()
    for (const server of servers) server.kill('SIGKILL')
  }
}

/** The servers need a moment to elect a leader. @param {Parameters<typeof natsClaims>[0]} connection */
async function opened(connection) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await natsClaims(connection, { replicas: 3, timeout: 5_000 })
    } catch (error) {
      if (tries > 20) throw error
      await new Promise((done) => setTimeout(done, 500))
    }
  }
}

/** @returns {Promise<import('../measure.mjs').Figure[]>} */
export async function figures() {
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const embedded = embeddedClaims(join(folder, 'claims'))
  const program = natsServer()
  const alone = await rows('a folder', embedded)
  await embedded.close()
  const shared = program === undefined ? [] : await inCluster(program, folder)
  rmSync(folder, { recursive: true, force: true })
  return [
    {
      title: 'Calls that are counted a second',
      note: 'Each is on the disk when it is answered; with NATS on those of two servers of three, which share this machine and its disk.',
      rows: [...alone, ...shared],
    },
  ]
}
