// The examples/verify-server process, asked by an honest client, with and without a stranger who sends 50 of the most expensive requests a
// second, in turns. Both come from one address, as behind a proxy.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, median } from './measure.mjs'
import { clientOf } from './tokens.mjs'

const ROUNDS = 5
const SECONDS = 2
/** Requests of the honest client in flight. */
const IN_FLIGHT = 8
/** Invocations that are prepared for each second. */
const PREPARED_A_SECOND = 1_750
const PER_SECOND = 50

const root = join(import.meta.dirname, '..')

async function freePort() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The example's own process. @param {string} did */
async function startServer(did) {
  const PORT = String(await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const server = fork(join(root, 'examples/verify-server/server.js'), [], {
    env: { ...process.env, DID: did, DATA: folder, PORT },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await once(server.stdout, 'data')
  const end = async () => {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true })
  }
  return { port: Number(PORT), end }
}

/** @param {{agent: Agent, port: number, token: string}} options @returns {Promise<number | undefined>} the status */
async function ask({ agent, port, token }) {
  const headers = { Authorization: `Bearer ${token}` }
  const sent = request({ agent, host: '127.0.0.1', port, path: '/notes/read', method: 'POST', headers }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

/** Requests per second, all authorised. @param {() => string} next @param {number} port */
async function honestRate(next, port) {
  // A new agent each time: the server closes connections that are idle while invocations are prepared.
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  const start = performance.now()
  let answered = 0
  const lane = async () => {
    while (performance.now() - start < SECONDS * 1_000) {
      const status = await ask({ agent, port, token: next() })
      expect(status === 200, `the honest client was answered ${status}`)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  agent.destroy()
  return (answered / (performance.now() - start)) * 1_000
}

export async function figures() {
  const exp = Math.floor(Date.now() / 1000) + 3_000
  const client = clientOf('honest', { exp })
  const ready = []
  let made = 0
  const make = () => {
    made += 1
    return client.invoke(made)
  }
  const { port, end } = await startServer(client.subject)
  const stranger = fork(join(import.meta.dirname, 'stranger.mjs'), [String(port), String(PER_SECOND)])
  /** Prepared between measurements, so that this doesn't affect them. @param {number} count */
  const prepare = (count) => {
    while (ready.length < count) ready.push(make())
  }
  const next = () => ready.pop() ?? make()
  try {
    await once(stranger, 'message')
    expect(
      (await ask({ agent: new Agent(), port, token: client.invoke(-1) })) === 200,
      'the first request holds',
    )
    /** @type {{alone: number[], attacked: number[]}} */
    const rates = { alone: [], attacked: [] }
    let refused = {}
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of /** @type {const} */ (['alone', 'attacked'])) {
        prepare(SECONDS * PREPARED_A_SECOND)
        if (name === 'attacked') {
          stranger.send('on')
          await new Promise((resolve) => setTimeout(resolve, 500))
        }
        const rate = await honestRate(next, port)
        if (round > 0) rates[name].push(rate)
        if (name === 'attacked') {
          stranger.send('off')
          ;[refused] = await once(stranger, 'message')
        }
      }
    }
    const answers = Object.entries(refused).map(([status, count]) => `${count} × ${status}`)
    return [
      {
        title: `verify-server, while a stranger sends ${PER_SECOND} of the costliest requests a second`,
        note: `Requests of an honest client, ${IN_FLIGHT} in flight, all authorised; the bar beside the second row is 0.8. Client, stranger and server share the machine. The stranger was answered in all: ${answers.join(', ')}.`,
        better: 'more',
        rows: [
          { name: 'while the stranger sends', unit: '/s', value: median(rates.attacked) },
          { name: 'undisturbed', unit: '/s', value: median(rates.alone) },
        ],
      },
    ]
  } finally {
    stranger.kill()
    await end()
  }
}
