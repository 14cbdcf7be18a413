// `npm run cluster` as it is used: what it prints is there and works, and it ends with all its parts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { call, didOf, grant, send } from './calls.mjs'
import { natsServer } from './nats-server.mjs'

const SCRIPT = join(import.meta.dirname, 'run.mjs')

/** @type {(() => void)[]} */
const ends = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Runs the script until it prints where its data is. @param {...string} given */
async function start(...given) {
  const child = spawn(process.execPath, [SCRIPT, ...given], { stdio: ['ignore', 'pipe', 'pipe'] })
  ends.push(() => child.kill('SIGTERM'))
  const ended = once(child, 'exit').then(([code]) => code)
  const errors = textOf(child.stderr)
  /** @type {string[]} */
  const lines = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('Data ')) break
  }
  return { child, ended, errors, text: lines.join('\n') }
}

/** Whether someone listens there. @param {string} address host and port */
async function answers(address) {
  const { hostname, port } = new URL(`http://${address}`)
  const socket = connect(Number(port), hostname)
  const heard = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return heard
}

describe.skipIf(natsServer() === undefined)('npm run cluster', () => {
  it('prints addresses that work, and ends all of its parts', { timeout: 180_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keyhole-cluster-'))
    const api = createServer((_, response) => response.end('done'))
    await once(api.listen(0, '127.0.0.1'), 'listening')
    const service = `http://127.0.0.1:${Object(api.address()).port}`
    const { child, ended, text } = await start(
      ...['--gates', '1', '--relays', '1', '--service', service, '--folder', folder],
    )
    const addresses = text.match(/127\.0\.0\.1:\d+/g) ?? []
    const [, gate = ''] = /^Gate (\S+),/m.exec(text) ?? []
    const [, relay = ''] = /^Relay (\S+),/m.exec(text) ?? []
    const token = call(await didOf(gate), grant())
    await vi.waitFor(async () => expect(await send(gate, token)).toBe('ok'), {
      timeout: 60_000,
      interval: 200,
    })
    expect((await fetch(new URL('/healthz', relay))).status).toBe(200)
    // Three NATS servers, and a gate and a relay with a balancer each.
    expect(addresses).toHaveLength(7)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(await Promise.all(addresses.map(answers))).toEqual(addresses.map(() => false))
    api.close()
    rmSync(folder, { recursive: true })
  })

  it('refuses numbers that it can not start', async () => {
    const { ended, errors } = await start('--gates', '0', '--relays', '0')
    expect(await ended).toBe(2)
    expect(await errors).toContain('numbers up to 32')
  })
})
