// The first examples of services: the relay's, the verifier's, the gate's, and the command.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { at, bin, exampleOf, expectSaid, run, site, tarballs } from './project.mjs'
import { node } from './runtimes.mjs'

/**
 * Runs a README's service with the oldest supported Node and the next, and sends it a stranger's request.
 * @param {string} name
 * @param {RegExp} expected
 * @param {string} [path] below the address that it prints
 */
const service = (name, expected, path = '') =>
  async function runs() {
    writeFileSync(at(`${name}.mjs`), exampleOf(name))
    for (const command of [process.execPath, node(22)]) {
      const server = spawn(command, [`${name}.mjs`], { cwd: at(), stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(server, 'exit')
      try {
        const [said] = await Promise.race([once(server.stdout, 'data'), ended.then(() => ['nothing'])])
        expectSaid(name, String(said), expected)
        const { status } = await fetch(`${String(said).trim()}${path}`)
        if (status !== 401) throw new Error(`${name}: it answered a stranger ${status}.`)
      } finally {
        server.kill()
        await ended
      }
    }
  }

async function entriesOfVerifier() {
  const entries = ['', '/fetch', '/hono', '/forward-auth'].map((name) => `import '@keyhole/verify${name}'`)
  writeFileSync(at('entries.mjs'), `${entries.join('\n')}\nconsole.log('ok')`)
  expectSaid('a verifier in Bun', await run(bin('bun'), ['entries.mjs']), /^ok\n$/)
  const deno = ['run', '--allow-all', '--quiet', 'entries.mjs']
  expectSaid('a verifier in Deno', await run(bin('deno'), deno), /^ok\n$/)
}

async function gate() {
  writeFileSync(at('gate.mjs'), exampleOf('gate'))
  for (const command of [process.execPath, node(22), node(26)])
    expectSaid('a gate', await run(command, ['gate.mjs']), /^did:key:z6Mk\w+\n$/)
}

/** Alone, from its tarball, as npx runs it. */
async function command() {
  const alone = site('alone')
  writeFileSync(join(alone, 'package.json'), '{"private": true}')
  const keyhole = (/** @type {string[]} */ ...args) =>
    run('npx', ['--yes', `--package=${tarballs.get('keyhole')}`, 'keyhole', ...args], alone)
  expectSaid('the command', await keyhole('--version'), /^\d+\.\d+\.\d+\n$/)
  // Otherwise it waits for a vault that doesn't exist.
  const asked = await keyhole('ask', '/http/get', '--vault', 'https://vault.example', '--reply', 'hand')
  expectSaid('the command', asked, /#keyhole-request-1\./)
  expectSaid('the command', await keyhole('gate', 'schema'), /"owners"/)
}

/** @type {Record<string, (name: string) => Promise<void>>} */
export const services = {
  'a relay': service('relay', /^http:\/\/127\.0\.0\.1:4280\/relay\n$/, '/revocations'),
  'a verifier': service('verify', /^http:\/\/127\.0\.0\.1:4290\/\n$/),
  'what of a verifier needs no Node': entriesOfVerifier,
  'a gate': gate,
  'the command': command,
}
