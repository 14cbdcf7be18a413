// Records the first ten minutes with `keyhole` for the README: each command runs at a terminal, with the official file server and client. A token
// maker stands in for the person's vault. What differs in each run is shortened. Usage: node scripts/recording.mjs [--check], after
// `npm run build:packages`; needs `script` of util-linux.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createEnclave } from '@keyhole/enclave'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { text } from '../vectors/generate/container.mjs'
import { alice } from '../vectors/generate/keys.mjs'
import { delegate, invoke } from '../vectors/generate/token.mjs'
import { root } from './suites.mjs'

const README = join(root, 'README.md')
const [BEGIN, END] = [
  '<!-- Made by scripts/recording.mjs -->\n```console\n',
  '```\n<!-- End of what it made -->',
]
const FILES = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json')),
  'dist/index.js',
)

const home = realpathSync(mkdtempSync(join(tmpdir(), 'keyhole-recording-')))
const bin = join(home, '.bin')
const env = {
  PATH: `${bin}:${process.env.PATH}`,
  HOME: home,
  XDG_DATA_HOME: join(home, '.data'),
  TERM: 'dumb',
}
/** @type {string[]} */
const recorded = []

/** The command as it is installed, and the server without the registry. */
function install() {
  mkdirSync(bin)
  const programs = {
    keyhole: `exec '${process.execPath}' '${join(root, 'packages/cli/dist/keyhole.js')}' "$@"`,
    npx: `shift 2; exec '${process.execPath}' '${FILES}' "$@"`,
    hostname: 'echo laptop',
  }
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(bin, name), 0o755)
  }
}

/**
 * Runs a line at a terminal, and records what it shows.
 * @param {string} line
 * @param {{ said: RegExp, act: (found: string) => unknown }[]} [acts] What a person does once this was said, each once, in this order
 */
async function show(line, acts = []) {
  const child = spawn('script', ['-qefc', `stty cols 72 -echo; ${line}`, '/dev/null'], { cwd: home, env })
  const open = [...acts]
  let shown = ''
  child.stdout.on('data', (part) => {
    shown += part
    const [next] = open
    const [found] = next?.said.exec(shown) ?? []
    if (!next || found === undefined) return
    open.shift()
    const typed = next.act(found)
    if (typeof typed !== 'string') return
    shown += `${typed}\n`
    child.stdin.write(`${typed}\n`)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0 || open.length > 0) throw new Error(`recording: ${line} ended with ${code}:\n${shown}`)
  // Long lines of the shell go on in the next.
  recorded.push(
    `$ ${line.replaceAll(' --limit', ' \\\n    --limit')}`,
    shown.replaceAll('\r', '').trimEnd(),
    '',
  )
}

/** Gives an answer to the page of a command that waits for it. */
async function answerBy(loopback, json) {
  const { status } = await fetch(loopback, {
    method: 'POST',
    headers: { origin: new URL(loopback).origin },
    body: `keyhole-answer-1.${Buffer.from(JSON.stringify(json)).toString('base64url')}`,
  })
  if (status !== 204) throw new Error(`recording: the answer was not taken: ${status}`)
}

const digestOf = (/** @type {string} */ link) =>
  createHash('sha256').update(new URL(link).hash.slice(1)).digest('base64url')
const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600

/** The vault of an owner whom a gate introduces itself to. @param {string} link */
async function own(link) {
  const enclave = await createEnclave({ keyless: true })
  const invocation = new URL(link).hash.slice('#keyhole-service-1.'.length)
  const { args, issuer } = Object(await enclave.call('validate_invocation', { invocation }))
  await enclave.close()
  const said = { cmd: '/service/own', args: { introduction: digestOf(link) }, exp: inAnHour() }
  const token = text([invoke({ by: alice, aud: issuer, ...said })])
  await answerBy(JSON.parse(args.introduction).reply.loopback, { request: digestOf(link), token })
}

/** @type {import('../vectors/generate/token.mjs').Token} */
let granted

/** The vault of a person who grants what is asked for. @param {string} link */
async function grant(link) {
  const [, asked = ''] = new URL(link).hash.split('#keyhole-request-1.')
  const { audience, command, policy, expiresIn, reply } = JSON.parse(
    Buffer.from(asked, 'base64url').toString(),
  )
  const exp = Math.floor(Date.now() / 1_000) + expiresIn
  granted = delegate({ from: alice, to: audience, cmd: command, pol: policy, exp })
  await answerBy(reply.loopback, { request: digestOf(link), token: text([granted]) })
}

/** An agent's calls through `keyhole mcp`. @param {readonly string[]} paths */
async function read(...paths) {
  const client = new Client({ name: 'agent', version: '1' })
  const options = {
    command: 'keyhole',
    args: ['mcp'],
    cwd: home,
    env,
    stderr: /** @type {const} */ ('ignore'),
  }
  await client.connect(new StdioClientTransport(options))
  for (const path of paths) {
    const { structuredContent, content } = await client.callTool({
      name: 'read_text_file',
      arguments: { path: join(home, path) },
    })
    const { error } = Object(structuredContent)
    const said = error ? `refused (${error})` : Object(content).at(0).text.trim()
    recorded.push(`# The agent calls read_text_file, path ~/${path}: ${said}`)
  }
  recorded.push('')
  await client.close()
}

/** Without what differs in each run. @param {string} said */
function shortened(said) {
  return said
    .replaceAll(home, '/home/me')
    .replace(/(#keyhole-\w+-1\.)[\w-]+/g, '$1…')
    .replace(/did:key:z6Mk\w+/g, 'did:key:z6Mk…')
    .replace(/\bbafy\w+/g, 'bafy…')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b/g, '4QKD-7M2X')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-12-01T09:00:00Z')
    .replace(/Gate on \S+/g, 'Gate on laptop')
}

try {
  install()
  mkdirSync(join(home, 'notes'))
  writeFileSync(join(home, 'notes/today.txt'), 'buy milk\n')
  writeFileSync(join(home, 'secret.txt'), 'not yours\n')
  await show(
    'keyhole gate init --vault https://vault.example -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
    [
      { said: /https:\S+#keyhole-service-1\.[\w-]+(?=\s)/, act: own },
      { said: /Type yes[^\n]*: /, act: () => 'yes' },
    ],
  )
  await show(
    `keyhole ask /mcp/tools/call --vault https://vault.example --for 7d --reason 'To read my notes' --limit '["==", ".name", "read_text_file"]' --limit '["like", ".arguments.path", "'$HOME'/notes/*"]'`,
    [{ said: /https:\S+#keyhole-request-1\.[\w-]+(?=\s)/, act: grant }],
  )
  await read('notes/today.txt', 'secret.txt', 'notes/../secret.txt')
  await show('keyhole gate log')
  const revocation = invoke({
    by: alice,
    cmd: '/ucan/revoke',
    args: { revoke: granted.link },
    nonce: Buffer.alloc(0),
    exp: null,
  })
  writeFileSync(join(home, 'revocation.txt'), text([revocation]))
  await show('keyhole gate revoke revocation.txt')
  await read('notes/today.txt')
} finally {
  rmSync(home, { recursive: true, force: true })
}

const readme = readFileSync(README, 'utf8')
const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)]
if (begin < 0 || end < begin) throw new Error('recording: the README has no place for it')
const shown = shortened(recorded.join('\n').trimEnd())
const renewed = `${readme.slice(0, begin)}${BEGIN}${shown}\n${readme.slice(end)}`
if (!process.argv.includes('--check')) writeFileSync(README, renewed)
else if (renewed === readme) console.log('recording: the README shows what happens')
else {
  console.error(`recording: the README shows something else than what happens:\n${shown}`)
  process.exitCode = 1
}
