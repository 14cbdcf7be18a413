import { type Grant, type Holder, HolderError, type ReplyWay } from '@keyhole/holder'
import { loopback } from '@keyhole/holder/loopback'
import { mailbox } from '@keyhole/holder/mailbox'
import type { Command, Given, Option } from '../command.ts'
import { wrongUsage } from '../errors.ts'
import { qrLines } from '../qr-code.ts'
import { readLimits, readTime, withLimits } from '../values.ts'
import { checkRequest } from './grant-request.ts'
import { jsonOf, textOf } from './grants.ts'

/** How the answer can come back. */
const WAYS = ['auto', 'mailbox', 'loopback', 'hand'] as const
type Way = (typeof WAYS)[number]

/** For how long an answer is waited for, in seconds: as long as a mailbox lasts. */
const LONGEST_WAIT = 600

/** The options of what asks a person. */
export const REPLY_OPTIONS = {
  reply: {
    type: 'string',
    value: 'WAY',
    help: "How the answer comes back: `mailbox` at the vault's relay, `loopback` from a browser on this machine, by `hand`. Default: auto, a mailbox if there is a relay, else loopback",
  },
  relay: { type: 'string', value: 'URL', help: "The relay. Default: /relay of the vault's address" },
  wait: { type: 'string', value: 'TIME', help: 'For how long to wait: at most 10m, which is the default' },
} satisfies Readonly<Record<string, Option>>

export const ask: Command = {
  name: 'ask',
  summary: 'Ask a person for a grant: makes a link that they open in their vault, and waits for the answer',
  operands: 'COMMAND',
  options: {
    vault: { type: 'string', value: 'URL', help: "Where the person's vault is" },
    limit: { type: 'string', multiple: true, value: 'JSON', help: 'A limit on the arguments' },
    for: { type: 'string', value: 'TIME', help: 'For how long: 30m, 8h, 7d. Default: 1h' },
    reason: { type: 'string', value: 'TEXT', help: 'What for; the person sees it as your words' },
    name: { type: 'string', value: 'NAME', help: 'What you call yourself; the person may name your key so' },
    ...REPLY_OPTIONS,
  },
  examples: [
    [
      `keyhole ask /mcp/tools/call --vault https://vault.example --for 7d --reason 'To read your notes' --limit '["==", ".name", "read_text_file"]'`,
      'One tool, for a week. Ends when the person has answered',
    ],
    [
      'keyhole ask /http/get --vault https://vault.example --reply hand',
      'Only prints the link. Give what the vault shows to `keyhole add`',
    ],
  ],
  async run(given) {
    const [command, ...more] = given.positionals
    if (!command || more.length > 0) return wrongUsage('Name one command, such as /mcp/tools/call.')
    const vault = given.text('vault') ?? wrongUsage("Say where the person's vault is: --vault https://….")
    const [time, reason, name] = [given.text('for'), given.text('reason'), given.text('name')]
    const request = {
      vault,
      command,
      policy: plain(readLimits(given.texts('limit'))),
      ...(time !== undefined && { expiresIn: readTime(time) }),
      ...(reason !== undefined && { reason }),
      ...(name !== undefined && { name }),
    }
    checkRequest(request)
    const asked = await askPerson(given, given.holder(), request)
    if ('answer' in asked) return { json: jsonOf(asked.answer), text: `Granted.\n${textOf(asked.answer)}` }
    const { json, lines } = asked
    return { json, text: [...lines, 'Then run `keyhole add` and paste what the vault answers.'].join('\n') }
  },
}

/** Limits as a request can have them. @throws CommandError for an integer that JSON.stringify can't write */
function plain(limits: readonly unknown[]): readonly unknown[] {
  try {
    JSON.stringify(limits)
    return limits
  } catch {
    return wrongUsage('A request takes numbers up to 9007199254740991 in --limit.')
  }
}

/** What a person is shown, for programs and in lines. */
interface Shown {
  readonly json: { readonly link: string; readonly text: string; readonly code: string }
  readonly lines: readonly string[]
}

/** Asks as {@link REPLY_OPTIONS} say, and waits for the answer, unless it comes by hand. */
export async function askPerson(
  given: Given,
  holder: Holder,
  request: Parameters<Holder['ask']>[0],
): Promise<Shown | { readonly answer: Grant }> {
  const way = wayOf(given.text('reply'))
  const wait = waitOf(given.text('wait'))
  const relay = given.text('relay') ?? relayOf(request.vault)
  const { link, text, code, answer } = await askBy(holder, request, { way, relay, wait })
  const json = { link, text, code }
  const lines = [
    'Open this link in the vault, or paste it there:',
    '',
    link,
    '',
    ...codeOf(given, link),
    `The vault should show the code ${code}.`,
  ]
  if (way === 'hand') return { json, lines }
  // Programs get two lines: the link at once, and the grant when it is there.
  if (given.has('json')) given.io.print(JSON.stringify(json))
  else for (const line of [...lines, 'Waiting for the answer…']) given.io.tell(line)
  return { answer: await answer }
}

/** A link as a QR code, with an empty line after it, if a person sees it in a terminal. */
export function codeOf({ io, has }: Given, link: string): readonly string[] {
  return io.columns === undefined || has('json') ? [] : [...qrLines(link, io.columns), '']
}

type AskOptions = { readonly way: Way; readonly relay: string; readonly wait: number }

/** Asks with the way back that was chosen. */
async function askBy(
  holder: Holder,
  request: Parameters<Holder['ask']>[0],
  { way, relay, wait }: AskOptions,
): ReturnType<Holder['ask']> {
  if (way === 'hand') return await withLimits(() => holder.ask(request))
  return await byWay(way, relay, (reply) =>
    withLimits(() => holder.ask({ ...request, reply, signal: timeoutIn(wait) })),
  )
}

/** Asks by the way that was chosen; without a choice by a mailbox, or where there is no relay by loopback. */
export async function byWay<T>(
  way: Exclude<Way, 'hand'>,
  relay: string,
  by: (reply: ReplyWay) => Promise<T>,
): Promise<T> {
  if (way === 'loopback') return await by(loopback())
  return await by(mailbox({ relay })).catch((error) => {
    if (way === 'auto' && error instanceof HolderError && error.code === 'RelayFailed') return by(loopback())
    throw error
  })
}

/** Ends the waiting. It keeps no process alive. */
export function timeoutIn(seconds: number): AbortSignal {
  const controller = new AbortController()
  const end = () => controller.abort(new HolderError('RequestExpired', 'No one answered in time. Ask again.'))
  setTimeout(end, seconds * 1_000).unref()
  return controller.signal
}

/** The way that was named. @throws CommandError */
export function wayOf(text = 'auto'): Way {
  return WAYS.find((way) => way === text) ?? wrongUsage(`--reply takes one of ${WAYS.join(', ')}.`)
}

/** For how long to wait, in seconds. @throws CommandError */
export function waitOf(text: string | undefined): number {
  const seconds = text === undefined ? LONGEST_WAIT : readTime(text)
  return seconds <= LONGEST_WAIT
    ? seconds
    : wrongUsage('--wait is 10m at most: a request is open for so long.')
}

/** The relay that the server of a vault has. */
export function relayOf(vault: string | URL): string {
  return URL.canParse(vault) ? new URL('/relay', vault).href : wrongUsage('--vault must be a URL.')
}

/**
 * How answers come back to a program that goes on meanwhile: by a mailbox at the relay of the vault's server. Undefined for a vault without TLS
 * elsewhere: then a person brings the answer.
 */
export function replyFrom(vault: string): ReplyWay | undefined {
  const relay = relayOf(vault)
  try {
    return mailbox({ relay })
  } catch {
    return undefined
  }
}
