import { realpath, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { addressFromProxy } from '../client-address.ts'
import type { Command, Given } from '../command.ts'
import { CommandError, FAILED, NO, wrongUsage } from '../errors.ts'
import { type EventLog, LOG_FORMAT, logged } from '../event-log.ts'
import {
  CONFIG,
  CONFIG_FILE,
  configuredGate,
  gateConfig,
  openConfigured,
  ownedConfig,
} from '../gate-config.ts'
import { readText } from '../input.ts'
import { placeOf } from '../listen-address.ts'
import { whenClusterAnswers } from '../nats.ts'
import { isInstalled } from '../programs.ts'
import { readDid, visible } from '../values.ts'
import { VERSION } from '../version.ts'
import { REPLY_OPTIONS } from './ask.ts'
import { INTRODUCTION_OPTIONS, introduceConfigured } from './gate-introduce.ts'

/** Arguments of the official file server that are paths. */
const FILE_PATHS = ['path', 'paths', 'source', 'destination']

export const init: Command = {
  name: 'gate init',
  summary:
    'Write a configuration that puts a gate in front of an MCP server, and introduce the gate to your vault',
  operands: '[-- PROGRAM [ARGUMENT…]]',
  options: {
    owner: {
      type: 'string',
      multiple: true,
      value: 'DID',
      help: 'Whose grants the gate honours: a DID that a vault shows. Default: who answers the introduction, and is confirmed here',
    },
    vault: { type: 'string', value: 'URL', help: 'Where your vault is' },
    url: { type: 'string', value: 'URL', help: 'Where the server is, if it speaks MCP over HTTP' },
    name: { type: 'string', value: 'NAME', help: 'What the server is called in grants. Default: files' },
    path: {
      type: 'string',
      multiple: true,
      value: 'ARGUMENT',
      help: "An argument of the server's tools that is a path",
    },
    secret: {
      type: 'string',
      multiple: true,
      value: 'NAME=SOURCE',
      help: 'A secret variable of the server, or the header with its key, from env:NAME, file:PATH or command:PROGRAM',
    },
    config: { ...CONFIG, help: `Where to write it. Default: ${CONFIG_FILE}` },
    ...INTRODUCTION_OPTIONS,
    ...REPLY_OPTIONS,
  },
  examples: [
    [
      'keyhole gate init --vault https://vault.example -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
      'One folder',
    ],
    [
      'keyhole gate init --vault https://vault.example --name github --secret GITHUB_TOKEN=env:GITHUB_TOKEN -- npx -y some-github-server',
      'A server with a credential, which the agent never sees',
    ],
    [
      'keyhole gate init --vault https://vault.example --name tracker --url https://tracker.example/mcp --secret Authorization=env:TRACKER_KEY',
      'A server on the network: the gate sends the key as `Authorization: Bearer …`',
    ],
  ],
  async run(given) {
    const { text, texts, rest, io } = given
    const vault = text('vault') ?? wrongUsage('Say where your vault is: --vault https://….')
    const secrets = texts('secret').map((each): readonly [string, string] => {
      const [, name, source] = /^([\w-]+)=((?:env|file|command):.+)$/s.exec(each) ?? []
      return name && source
        ? [name, source]
        : wrongUsage('Write --secret as NAME=env:NAME or NAME=file:/path. Never the secret itself.')
    })
    const files = rest.findIndex((each) => /server-filesystem\b/.test(each))
    const isFiles = files >= 0
    const paths = texts('path').length > 0 ? texts('path') : isFiles ? FILE_PATHS : undefined
    const suggest = isFiles ? await foldersOf(io.cwd, rest.slice(files + 1)) : []
    for (const owner of texts('owner')) readDid(owner, '--owner')
    const server = {
      ...serverOf(text('url'), rest, secrets),
      ...(paths && { paths }),
      ...(suggest.length > 0 && { suggest }),
    }
    const config = { owners: texts('owner'), vault, servers: { [text('name') ?? 'files']: server } }
    const { readConfig } = await import('@keyhole/gate')
    readConfig(config)
    const [program] = rest
    if (program !== undefined && !(await isInstalled(program, io)))
      throw new CommandError(
        FAILED,
        'START_FAILED',
        `The program ${program} isn't installed, or isn't in PATH. Nothing was written.`,
      )
    const path = resolve(io.cwd, text('config') ?? CONFIG_FILE)
    await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { flag: 'wx', mode: 0o600 }).catch(
      (error) => {
        const why =
          error.code === 'EEXIST'
            ? 'is there already. Nothing was changed. Edit it, delete it, or name another file with --config'
            : "can't be written. Check who may write there"
        throw new CommandError(FAILED, 'FILE', `${path} ${why}.`)
      },
    )
    const wrote = `Wrote ${path}. Try it with \`keyhole gate check --config ${path}\`.`
    try {
      const { json, lines } = await introduceConfigured(given)
      return { json: { path, config, ...json }, text: [wrote, '', ...lines].join('\n') }
    } catch (error) {
      if (error instanceof CommandError) {
        io.tell(wrote)
        throw error
      }
      // What was written is right all the same: a credential may not be there yet, for example.
      const why = error instanceof Error ? error.message : String(error)
      io.tell(`keyhole: The gate can't introduce itself yet. ${why}`)
      return {
        json: { path, config },
        text: `${wrote}\nThen introduce it to your vault with \`keyhole gate introduce\`.`,
      }
    }
  },
}

/** The folders among these arguments, as the gate compares paths: what is in them is suggested for limits. */
async function foldersOf(cwd: string, args: readonly string[]): Promise<readonly string[]> {
  const found = args.map(async (each) => {
    const path = await realpath(resolve(cwd, each)).catch(() => undefined)
    const isFolder = path !== undefined && path.length < 250 && (await stat(path)).isDirectory()
    return isFolder && path !== '/' && !/\p{Cc}/u.test(path) ? [`${path}/*`] : []
  })
  return (await Promise.all(found)).flat().slice(0, 50)
}

/** How a server is reached: by its URL, or by the program that is it. */
function serverOf(
  url: string | undefined,
  [command, ...args]: readonly string[],
  secrets: readonly (readonly [string, string])[],
): object {
  if ((url === undefined) === (command === undefined))
    return wrongUsage('Say how to start the server, after --, or where it is, with --url.')
  if (url === undefined)
    return { command, args, ...(secrets.length > 0 && { secrets: Object.fromEntries(secrets) }) }
  const [key, ...others] = secrets
  if (others.length > 0) wrongUsage('A server on the network takes one --secret: HEADER=env:NAME.')
  if (!key) return { url }
  const [header, secret] = key
  return {
    url,
    auth: { header, secret, ...(header.toLowerCase() !== 'authorization' && { prefix: '' }) },
  }
}

export const check: Command = {
  name: 'gate check',
  summary: "Try a configuration: starts the servers, and shows the gate's DID and which tools it offers",
  options: { config: CONFIG },
  examples: [['keyhole gate check', 'Exits with 1 if a tool is not offered']],
  async run(given) {
    const gate = await configuredGate(given)
    try {
      const servers = await Promise.all(
        [...gate.servers].map(async ([name, server]) => ({ name, tools: await server.tools() })),
      )
      const isFine = servers.every(({ tools }) => tools.every(({ state }) => state === 'offered'))
      const lines = servers.flatMap(({ name, tools }) => [
        `${name}:`,
        ...tools.map(
          (tool) =>
            `  ${visible(tool.name)}${tool.paths.length > 0 ? ` (paths: ${tool.paths.join(', ')})` : ''}${WHY[tool.state]}`,
        ),
      ])
      const { did, folder } = gate
      return {
        json: { did, folder, servers },
        text: [`Gate ${did}`, `Data ${folder}`, ...lines].join('\n'),
        exitCode: isFine ? 0 : NO,
      }
    } finally {
      await gate.close()
    }
  },
}

const WHY = {
  offered: '',
  changed:
    ': not offered, because the server describes it differently than before. To accept it, delete its file in `tools`',
  'paths-missing': ': not offered. Say in `paths` which arguments are paths, or [] if none is',
}

/** Most calls that are shown. */
const MOST_CALLS = 100_000

export const log: Command = {
  name: 'gate log',
  summary: 'Show the calls that the gate carried out or refused, newest last',
  options: {
    config: CONFIG,
    last: { type: 'string', value: 'COUNT', help: 'How many calls. Default: 100' },
  },
  examples: [
    ['keyhole gate log --last 20', 'The latest calls'],
    ['keyhole gate log --json', 'Each call with its signed receipt'],
  ],
  async run(given) {
    const most = Number(given.text('last') ?? 100)
    if (!Number.isInteger(most) || most < 1 || most > MOST_CALLS)
      return wrongUsage(`--last takes a number up to ${MOST_CALLS}.`)
    const { data } = await gateConfig(given)
    const { gateFolder, LOG, readLog } = await import('@keyhole/gate')
    const path = join(data ?? gateFolder(given.io.env), LOG)
    const entries = await readLog(path, most).catch(() => {
      throw new CommandError(FAILED, 'FILE', `The log ${path} can't be read.`)
    })
    const show = ({ at, outcome, count, server, name, issuer }: (typeof entries)[number]) => {
      const how = count === undefined ? outcome : `${outcome} × ${count}`
      return visible([at, how.padEnd(12), server, name, `by ${issuer}`].join('  '))
    }
    return { json: entries, text: entries.map(show).join('\n') || 'No calls yet.' }
  },
}

export const serve: Command = {
  name: 'gate serve',
  summary: 'Run the gate as a separate process, for agents that connect over HTTP',
  options: {
    config: CONFIG,
    listen: {
      type: 'string',
      value: 'HOST:PORT',
      help: 'Default: 127.0.0.1:4291. For other machines, put TLS in front of it',
    },
    host: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: 'A host name that clients use, besides those of this machine',
    },
    proxy: {
      type: 'boolean',
      help: "A proxy in front adds each client's address last in X-Forwarded-For. Without this, all of its clients count as one",
    },
    metrics: {
      type: 'string',
      value: 'HOST:PORT',
      help: 'Where to serve figures for Prometheus. Default: nowhere',
    },
    'log-format': LOG_FORMAT,
  },
  examples: [
    [
      'keyhole gate serve --metrics 127.0.0.1:4292',
      'Prometheus reads http://127.0.0.1:4292/metrics, and a load balancer /healthz',
    ],
    ['keyhole gate serve --host gate.example --proxy', 'Behind a server that adds TLS'],
    [
      'sudo -u gate keyhole gate serve --config /etc/keyhole-gate.json',
      'As another user, so the agent can read no credential',
    ],
  ],
  run: (given) => logged(given, (log) => serveUntilEnd(given, log)),
}

/** Serves until the process is told to end. */
async function serveUntilEnd(given: Given, log: EventLog): Promise<void> {
  const hosts = given.texts('host')
  const place = { ...placeOf(given.text('listen') ?? '127.0.0.1:4291', '--listen'), hosts }
  const figures = given.text('metrics')
  const placeOfFigures = figures === undefined ? undefined : { ...placeOf(figures, '--metrics'), hosts }
  const config = await ownedConfig(given)
  const { listen, listenForMetrics } = await import('@keyhole/gate')
  const gate = await whenClusterAnswers(
    () => openConfigured(config, given, 'beside', log),
    (text) => log.warn('waiting', text),
  )
  try {
    const { vault, owners } = config
    const { did } = gate
    const address = given.has('proxy') ? addressFromProxy : undefined
    const listener = await listen({ gate, vault, owners, ...(address && { address }), ...place })
    const metrics = placeOfFigures && (await listenForMetrics(gate, placeOfFigures))
    const { url } = listener
    // Before anyone can know that it runs.
    const told = new Promise((resolve) => {
      process.once('SIGTERM', resolve)
      process.once('SIGINT', resolve)
    })
    given.io.print(
      given.has('json')
        ? JSON.stringify({ url, did, ...(metrics && { metrics: metrics.url }) })
        : `Gate ${did} on ${url}${metrics ? `, figures on ${metrics.url}/metrics` : ''}`,
    )
    log.info('started', { url, did, metrics: metrics?.url, version: VERSION })
    await told
    log.info('stopping')
    await Promise.all([listener.close(), metrics?.close()])
  } finally {
    await gate.close()
  }
}

/** How many of the lines that are no revocation a message names. */
const NAMED_LINES = 10

export const revoke: Command = {
  name: 'gate revoke',
  summary:
    'Give the gate a revocation, or one a line: paste what the vault shows. It counts from the next call on',
  operands: '[FILE]',
  options: { config: CONFIG },
  examples: [['keyhole gate revoke revocation.txt', 'The vault shows the revocation under the grant']],
  async run(given) {
    const text = await readText(given)
    const config = await gateConfig(given)
    const { revokeAt } = await import('@keyhole/gate')
    const { kept, refused } = await revokeAt(config, text, given.io.env)
    const [first, ...more] = kept
    if (first === undefined)
      throw new CommandError(
        NO,
        'NOT_A_REVOCATION',
        "This isn't a revocation. Copy all of it, and try again.",
      )
    if (refused.length > 0) {
      const others = refused.length - NAMED_LINES
      const named = `${refused.slice(0, NAMED_LINES).join(', ')}${others > 0 ? `, and ${others} more` : ''}`
      throw new CommandError(
        NO,
        'NOT_A_REVOCATION',
        `The gate has ${kept.length} of these revocations, but some lines aren't revocations: ${named}. Copy those again.`,
      )
    }
    if (more.length > 0)
      return {
        json: { revoked: kept.map(({ revokes = null }) => revokes) },
        text: kept.map(inWords).join('\n'),
      }
    return { json: { revoked: first.revokes ?? null }, text: inWords(first) }
  },
}

function inWords({ revokes }: { readonly revokes: string | undefined }): string {
  return revokes
    ? `The gate knows that ${revokes} is revoked.`
    : "The gate has this revocation. What it revokes can't be shown, so it is held against every call."
}

export const schema: Command = {
  name: 'gate schema',
  summary: 'Print the JSON Schema of the configuration',
  examples: [['keyhole gate schema > keyhole-gate.schema.json', 'For an editor']],
  async run() {
    const { configSchema } = await import('@keyhole/gate')
    const json = configSchema()
    return { json, text: JSON.stringify(json, null, 2) }
  },
}
