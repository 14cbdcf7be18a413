// What a call over HTTP costs the server that checks it, in processor time of its whole process: ours under one grant and under five that it
// knows, and the same server with a JSON Web Token. Every call is new. Ours remembers each one: in memory, which is compared with a JWT server
// that remembers nothing, and on disk, compared with one that does the same.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, SignJWT } from 'jose'
import { expect, median, usedBy } from '../measure.mjs'
import { clientOf } from '../tokens.mjs'

const CALLS = 4_000
/** Rounds that aren't counted: until then V8 still compiles. */
const FIRST = 3
const ROUNDS = 7
const IN_FLIGHT = 32
const HOUR = 3_600

/** @param {string[]} given */
async function start(...given) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.mjs'), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  return { pid: child.pid, port: Number(port), end: () => child.kill() }
}

/** Calls a server with each token. @param {number} port @param {readonly string[]} tokens */
async function callAll(port, tokens) {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  let at = 0
  const lane = async () => {
    for (let token = tokens[at++]; token !== undefined; token = tokens[at++]) {
      const headers = { Authorization: `Bearer ${token}` }
      const sent = request({
        agent,
        host: '127.0.0.1',
        port,
        path: '/notes/read',
        method: 'POST',
        headers,
      }).end()
      const [response] = await once(sent, 'response')
      response.resume()
      await once(response, 'end')
      expect(response.statusCode === 200, `a call was answered ${response.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  agent.destroy()
}

/** What makes JSON Web Tokens, and the key that checks them. @param {number} exp */
async function jwtClient(exp) {
  const { privateKey, publicKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  const sign = (/** @type {number} */ at) =>
    new SignJWT({ command: '/notes/read', folder: 'notes', jti: `call ${at}` })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer('https://owner.example')
      .setAudience('https://notes.example')
      .setExpirationTime(exp)
      .sign(privateKey)
  return { sign, key: JSON.stringify(await exportJWK(publicKey)) }
}

export async function figures() {
  const exp = Math.floor(Date.now() / 1_000) + HOUR
  const [one, five] = [1, 5].map((proofs) => clientOf(`http ${proofs}`, { exp, proofs }))
  const jwt = await jwtClient(exp)
  const folder = mkdtempSync(join(tmpdir(), 'keyhole-bench-'))
  const servers = {
    one: { ...(await start('keyhole', one.subject)), sign: one.invoke },
    five: { ...(await start('keyhole', five.subject)), sign: five.invoke },
    oneOnDisk: { ...(await start('keyhole', one.subject, `${folder}/one`)), sign: one.invoke },
    fiveOnDisk: { ...(await start('keyhole', five.subject, `${folder}/five`)), sign: five.invoke },
    jwt: { ...(await start('jwt', jwt.key)), sign: jwt.sign },
    jwtOnDisk: { ...(await start('jwt', jwt.key, `${folder}/jwt`)), sign: jwt.sign },
    empty: { ...(await start('empty')), sign: () => 'none' },
  }
  /** @type {Record<string, number[]>} */
  const taken = Object.fromEntries(Object.keys(servers).map((name) => [name, []]))
  let made = 0
  try {
    for (let round = 0; round < FIRST + ROUNDS; round += 1) {
      for (const [name, { pid, port, sign }] of Object.entries(servers)) {
        const tokens = await Promise.all(Array.from({ length: CALLS }, () => sign(made++)))
        const before = usedBy(pid)
        await callAll(port, tokens)
        if (round >= FIRST) taken[name].push(((usedBy(pid) - before) / CALLS) * 1_000)
      }
    }
  } finally {
    for (const { end } of Object.values(servers)) end()
    rmSync(folder, { recursive: true })
  }
  const row = (/** @type {string} */ name, /** @type {number[]} */ values = []) => ({
    name,
    unit: 'µs',
    value: median(values),
  })
  const [jose, empty] = [
    row('jose 6.2.18, EdDSA JWT, which remembers nothing', taken.jwt),
    row('node:http, which checks nothing', taken.empty),
  ]
  const joseOnDisk = row('jose, with our store of used calls on disk', taken.jwtOnDisk)
  return [
    {
      title: 'A call over HTTP, under one grant',
      note: `Processor time of the server, ${IN_FLIGHT} calls in flight, every one new. The bar beside the second row is 1.`,
      better: 'less',
      rows: [row('Keyhole, which remembers each call in memory', taken.one), jose, empty],
    },
    {
      title: 'The same under five grants that it knows',
      note: 'The bar beside the second row is 1.3.',
      better: 'less',
      rows: [row('Keyhole, five, in memory', taken.five), jose, empty],
    },
    {
      title: 'A call over HTTP that is remembered on disk, under one grant',
      better: 'less',
      rows: [row('Keyhole, on disk', taken.oneOnDisk), joseOnDisk, jose],
    },
    {
      title: 'The same under five grants that it knows',
      better: 'less',
      rows: [row('Keyhole, five, on disk', taken.fiveOnDisk), joseOnDisk, jose],
    },
  ]
}
