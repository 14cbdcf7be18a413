// An agent and a service in Bun, Deno and workerd: a holder makes a key, gets a grant, signs calls with it and passes a part of it on; a verifier
// lets each call through once, and none after the grant was revoked. The owner's vault is in this Node.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { at, bin, site } from './project.mjs'
import { serveInWorkerd } from './workerd.mjs'

/** The agent and the service, for any server that works with `Request` and `Response`. */
const AGENT = `import { createHolder, memoryStore } from '@keyhole/holder'
import { createVerifier } from '@keyhole/verify'
import { guard } from '@keyhole/verify/fetch'
export async function agent({ owner, ...options }) {
  const holder = createHolder({ store: memoryStore() })
  const verifier = await createVerifier({ subject: owner, ...options })
  const readNotes = guard(verifier, { command: '/notes/read' }, ({ args }) => new Response('Notes in ' + args.folder))
  const acts = {
    '/did': () => holder.did(),
    '/add': async (text) => (await holder.add(text)).command,
    '/sign': async (text) => (await holder.invoke('/notes/read', JSON.parse(text), { subject: owner, audience: owner })).token,
    '/narrow': async (to) => (await holder.narrow({ to, policy: [['==', '.folder', 'recipes/cakes']] })).token,
    '/revoke': async (text) => String((await verifier.revoke(text)).added),
  }
  return async (request) => {
    const act = acts[new URL(request.url).pathname]
    if (!act) return await readNotes(request)
    try {
      return new Response(await act(await request.text()))
    } catch (error) {
      return new Response(error.code, { status: 422 })
    }
  }
}
`
const IN_FOLDERS = `import { agent } from './agent.js'
import { embeddedClaims, embeddedRevocations } from '@keyhole/verify/embedded'
const stores = { replay: embeddedClaims('./claims'), revocations: embeddedRevocations('./revocations') }
`
const SERVERS = {
  bun: `const fetch = await agent({ owner: process.env.OWNER, ...stores })
console.log(String(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch }).url))`,
  deno: `const fetch = await agent({ owner: Deno.env.get('OWNER'), ...stores })
const onListen = ({ port }) => console.log('http://127.0.0.1:' + port + '/')
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, fetch)`,
}
/** A worker starts with its first request. */
const worker = (/** @type {string} */ owner) => `import module from '@keyhole/enclave/enclave.wasm'
import { memoryClaims, memoryRevocations } from '@keyhole/verify'
import { agent } from './agent.js'
let handle
export default {
  async fetch(request) {
    handle ??= agent({ owner: '${owner}', module, replay: memoryClaims(), revocations: memoryRevocations() })
    return (await handle)(request)
  },
}`

/** @typedef {{url: string, end: () => Promise<void>}} Served */

/** Someone's vault, without a browser. */
async function openVault() {
  const { createEnclave } = await import(
    String(pathToFileURL(at('node_modules/@keyhole/enclave/dist/index.js')))
  )
  const vault = await createEnclave()
  const { status } = await vault.call('create_vault', { passphrase: 'four words that no one guesses' })
  return { vault, did: String(status.issuer_did) }
}

/**
 * What happens is checked by its status and, if it is done, by what it says.
 * @param {(owner: string) => Promise<Served>} serve
 */
async function story(serve) {
  const [owner, helper] = [await openVault(), await openVault()]
  const { url, end } = await serve(owner.did)
  try {
    const send = async (/** @type {string} */ path, body = '', headers = {}) => {
      // A call that no one answers must not hang.
      const signal = AbortSignal.timeout(30_000)
      const response = await fetch(new URL(path, url), { method: 'POST', body, headers, signal })
      return [response.status, await response.text()]
    }
    const said = async (/** @type {string} */ path, body = '') => {
      const [status, text] = await send(path, body)
      if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`)
      return String(text)
    }
    const call = (/** @type {string} */ token) => send('/', '', { authorization: `Bearer ${token}` })
    const sign = () => said('/sign', JSON.stringify({ folder: 'recipes/cakes' }))

    const audience = await said('/did')
    const policy = [['like', '.folder', 'recipes/*']]
    const asked = { audience_did: audience, command: '/notes', policy }
    const grant = await owner.vault.call('new_origin_token', asked)
    expectSame('the grant', await said('/add', grant.token), '/notes')
    expectSame('a call outside of it', await send('/sign', JSON.stringify({ folder: 'diary' })), [
      422,
      'MatchError',
    ])
    const token = await sign()
    expectSame('a call', await call(token), [200, 'Notes in recipes/cakes'])
    expectSame('the same call again', (await call(token))[0], 401)

    const part = await said('/narrow', helper.did)
    const passedOn = await helper.vault.call('invoke', {
      ...{ command: '/notes/read', args: { folder: 'recipes/cakes' } },
      ...{ subject_did: owner.did, audience_did: owner.did, proof_token: part },
    })
    expectSame('a call under a part of it', await call(passedOn.token), [200, 'Notes in recipes/cakes'])

    // Strangers between known clients: none of them may keep another one waiting for ever.
    for (let round = 0; round < 5; round += 1) {
      const one = await sign()
      const answers = await Promise.all([call(one), call(one), call('Cjunk'), call('Cjunk')])
      expectSame('at once', answers.map(([status]) => status).sort(), [200, 400, 400, 401])
    }
    const { token: revocation } = await owner.vault.call('revoke', { cid: grant.cid, token: grant.token })
    expectSame('a revocation', await said('/revoke', revocation), 'true')
    expectSame('a call after it', (await call(await sign()))[0], 403)
  } finally {
    await end()
    await Promise.all([owner.vault.close(), helper.vault.close()])
  }
}

/** @param {string} what @param {unknown} found @param {unknown} expected */
function expectSame(what, found, expected) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what} was answered ${one}, expected ${other}.`)
}

/** @param {'bun' | 'deno'} runtime @param {string[]} args */
const inRuntime = (runtime, args) => () =>
  story(async (owner) => {
    const folder = site(`grants-${runtime}`)
    writeFileSync(join(folder, 'agent.js'), AGENT)
    writeFileSync(join(folder, 'serve.js'), IN_FOLDERS + SERVERS[runtime])
    const env = { ...process.env, OWNER: owner }
    const stdio = /** @type {const} */ (['ignore', 'pipe', 'inherit'])
    const server = spawn(bin(runtime), [...args, 'serve.js'], { cwd: folder, env, stdio: [...stdio] })
    const ended = once(server, 'exit')
    const [line] = await Promise.race([once(server.stdout, 'data'), ended.then(() => [''])])
    return {
      url: String(line).trim(),
      end: async () => {
        server.kill()
        await ended
      },
    }
  })

/** @type {Record<string, () => Promise<void>>} */
export const grants = {
  'grants in Bun': inRuntime('bun', []),
  'grants in Deno': inRuntime('deno', ['run', '--allow-all', '--quiet']),
  'grants in workerd': () =>
    story((owner) =>
      serveInWorkerd('grants-workerd', 4277, { 'agent.js': AGENT, 'worker.js': worker(owner) }),
    ),
}
