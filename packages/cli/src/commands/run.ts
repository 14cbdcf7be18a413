import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Command } from '../command.ts'
import { CommandError, FAILED, wrongUsage } from '../errors.ts'
import { openLoopback } from '../loopback-services.ts'
import { serviceCaller } from '../service-calls.ts'
import { replyFrom } from './ask.ts'

/** Variables with a key, grants, or the password of a cluster: the program gets none of them. */
const SECRETS = ['KEYHOLE_KEY', 'KEYHOLE_TOKENS', 'KEYHOLE_NATS']
/** How a program ends that can't be started, as in a shell. */
const [NOT_ALLOWED, NOT_FOUND] = [126, 127]

export const run: Command = {
  name: 'run',
  summary: "Run a program that can't sign: its calls of HTTP APIs go through a gate with your grants",
  operands: '-- PROGRAM [ARGUMENT…]',
  options: {
    gate: { type: 'string', value: 'URL', help: 'Where the gate is. Default: http://127.0.0.1:4291' },
    service: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: 'A service of the gate that the program may use. Default: all',
    },
    env: {
      type: 'string',
      multiple: true,
      value: 'VARIABLE=NAME',
      help: 'A variable that the program reads for the base URL of a service. Besides KEYHOLE_NAME_URL, which it always gets',
    },
  },
  exitCodes: [
    { code: NOT_ALLOWED, meaning: "the program can't be started" },
    { code: NOT_FOUND, meaning: 'there is no such program. Any other code may be that of the program' },
  ],
  examples: [
    [
      `keyhole run -- sh -c 'curl "$KEYHOLE_NOTES_URL/projects/7/notes"'`,
      'The service notes has its address in KEYHOLE_NOTES_URL',
    ],
    [
      'keyhole run --service llm --env OPENAI_BASE_URL=llm -- my-agent',
      'A program that knows nothing of Keyhole',
    ],
  ],
  async run(given) {
    const [program, ...args] = given.rest
    if (program === undefined || given.positionals.length > 0)
      return wrongUsage('Name the program after --, such as `keyhole run -- my-agent`.')
    const { openRequests, readRemoteGate } = await import('@keyhole/gate')
    const url = given.text('gate') ?? 'http://127.0.0.1:4291'
    const gate = await readRemoteGate(url)
    const services = servicesOf(Object.keys(gate.services), given.texts('service'))
    const variables = variablesOf(services, given.texts('env'))
    const onError = (error: unknown) => {
      if (error instanceof CommandError) given.io.tell(`keyhole: ${error.message}`)
    }
    const holder = given.holder()
    const requests = openRequests(holder, replyFrom(gate.vault))
    const caller = serviceCaller({ gate, url, holder, requests })
    const loopback = await openLoopback({ caller, services, onError })
    try {
      const addresses = variables.map(([name, service]) => [name, loopback.url(service)] as const)
      const env = environmentOf(given.io.env, Object.fromEntries(addresses))
      return { json: undefined, text: '', exitCode: await ended(program, args, given.io.cwd, env) }
    } finally {
      requests.close()
      await loopback.close()
    }
  },
}

/** @throws CommandError */
function servicesOf(offered: readonly string[], wanted: readonly string[]): readonly string[] {
  const unknown = wanted.find((name) => !offered.includes(name))
  if (offered.length === 0) throw new CommandError(FAILED, 'NO_SERVICE', 'The gate has no service.')
  if (unknown !== undefined)
    wrongUsage(
      `The gate has no service ${JSON.stringify(unknown.slice(0, 40))}. It has ${offered.join(', ')}.`,
    )
  return wanted.length > 0 ? [...new Set(wanted)] : offered
}

/** Names of variables, each with its service. @throws CommandError */
function variablesOf(services: readonly string[], texts: readonly string[]): [string, string][] {
  const own = services.map((service): [string, string] => [
    `KEYHOLE_${service.toUpperCase().replaceAll('-', '_')}_URL`,
    service,
  ])
  const named = texts.map((text): [string, string] => {
    const [, name = '', service = ''] = /^([A-Za-z_]\w*)=(.+)$/.exec(text) ?? []
    if (!services.includes(service) || SECRETS.includes(name))
      return wrongUsage(`Write --env as VARIABLE=NAME, with the name of a service: ${services.join(', ')}.`)
    return [name, service]
  })
  const all = [...own, ...named]
  for (const [name, service] of all)
    if (all.some(([other, another]) => other === name && another !== service))
      wrongUsage(`${name} would be the address of two services. Choose them with --service.`)
  return all
}

/** What the program gets: the addresses, and no key. */
function environmentOf(
  env: NodeJS.ProcessEnv,
  addresses: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const rest = Object.entries(env).filter(([name]) => !SECRETS.includes(name))
  // A proxy must not learn the addresses: they are for this machine.
  const known = env.no_proxy ?? env.NO_PROXY ?? ''
  const direct = known === '' ? '127.0.0.1' : `${known},127.0.0.1`
  return { ...Object.fromEntries(rest), NO_PROXY: direct, no_proxy: direct, ...addresses }
}

/** Runs the program to its end. @returns its exit code, as a shell has it @throws CommandError START_FAILED */
async function ended(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(program, args, { cwd, env, stdio: 'inherit' })
  const forward = (signal: NodeJS.Signals) => void child.kill(signal)
  // A terminal tells the program itself: this process has only to wait for it.
  const interrupt = process.stdin.isTTY ? () => {} : forward
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', forward)
  process.on('SIGHUP', forward)
  try {
    return await new Promise((resolve, reject) => {
      let isStarted = false
      child.once('spawn', () => {
        isStarted = true
      })
      child.on('error', (error) => {
        // It runs as another user, who can't be sent a signal: its end is waited for.
        if (isStarted) return
        const isMissing = 'code' in error && error.code === 'ENOENT'
        const message = `${program} can't be started${isMissing ? ': there is none.' : `: ${error.message}`}`
        reject(new CommandError(isMissing ? NOT_FOUND : NOT_ALLOWED, 'START_FAILED', message))
      })
      child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    })
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', forward)
    process.off('SIGHUP', forward)
  }
}
