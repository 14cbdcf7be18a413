import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { visible } from '../text/visible.ts'
import { BY_CODE, FAULT, NO_SPACE, type Told } from './refusals/told.ts'
import type { Words } from './refusals/words.ts'
import { moment } from './when.ts'
import { shorten } from './who.ts'

/** A refusal in the person's words: what happened, and what to do about it. */
export interface Explained {
  title: string
  advice: string
}

/** What the client itself refuses, in words that a person can act on as they are. */
export class InWords extends Error {
  override readonly name = 'InWords'
}

function say(words: Words, args: object): string {
  return i18n._(typeof words === 'function' ? Reflect.apply(words, undefined, [args]) : words)
}

function tell({ title, advice }: Told, args: object = {}): Explained {
  return { title: i18n._(title), advice: say(advice, args) }
}

const CODES: ReadonlyMap<string, Told> = new Map<string, Told>(Object.entries(BY_CODE))

type Tables = typeof import('./refusals/words.ts')

let tables: Tables | undefined
const listeners = new Set<() => void>()

/** Settles once there are words for every name. They load beside the page: until then a refusal is told by its code. */
export const refusalWords: Promise<void> = import('./refusals/words.ts').then(
  (loaded) => {
    tables = loaded
    for (const listener of listeners) listener()
  },
  // What does not load is told again where it is missed; the codes have words without it.
  () => undefined,
)

/** For `useSyncExternalStore`: what is shown of a refusal changes when its words have loaded. */
export const loadedWords = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  get: (): unknown => tables,
}

/** What of an error is looked at: anything may be thrown, so nothing is taken for granted. */
interface Seen {
  code: string
  name: string
  /** What the refusal is about. */
  args: object
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value ? Reflect.get(value, key) : undefined
}

function text(...values: unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? ''
}

function look(error: unknown): Seen {
  const details = field(error, 'details')
  const cause = field(error, 'cause')
  const args = field(details, 'args') ?? field(error, 'args')
  return {
    code: text(field(error, 'code')),
    // An Error's own name says VaultError or DOMException; the refusal's is in the details.
    name: text(field(details, 'name'), field(cause, 'name'), field(error, 'name')),
    args: typeof args === 'object' && args !== null ? args : {},
  }
}

/** What in particular a refusal is about, where its arguments say it: its reason, a moment, or what was wanted and what was there. */
function detailOf(name: string, args: object): string | undefined {
  const why = tables?.WHYS.get(text(field(args, 'why')))
  if (why) return say(why, args)
  const [expected, found] = [field(args, 'expected'), field(args, 'found')]
  if (name === 'Expired' && typeof expected === 'number') return t`It ended on ${moment(expected * 1000)}.`
  if (name === 'TooEarly' && typeof expected === 'number') return t`It starts on ${moment(expected * 1000)}.`
  if (!COMPARING.has(name) || typeof expected !== 'string' || typeof found !== 'string') return undefined
  return t`Expected: ${nameOf(expected)}. Found: ${nameOf(found)}.`
}

/** Rules that compare who with whom, or a command with a command. */
const COMPARING: ReadonlySet<string> = new Set(['InvalidAudience', 'InvalidSubject', 'InvalidCommand'])

const nameOf = (text: string) => (text.startsWith('did:') ? shorten(text) : visible(text))

/** What is refused by a name, in words, with what it is about; undefined for a name that has none, or none yet. */
function toldByName(name: string, args: object): Explained | undefined {
  const words = tables?.REFUSALS.get(name)
  if (!words) return undefined
  const { title, advice } = tell(words, args)
  const detail = detailOf(name, args)
  return { title, advice: detail === undefined ? advice : `${detail} ${advice}` }
}

/**
 * What a checked token does not hold by, in words: what happened, and what to do.
 *
 * @param rule as the enclave answers it, with its `name`, and `why`, `expected` and `found` where there are any
 */
export function explainRule(rule: object): Explained {
  const name = text(field(rule, 'name'))
  return toldByName(name, rule) ?? { title: t`It does not hold.`, advice: detailOf(name, rule) ?? '' }
}

/** Any error in the person's words. Never a code alone, and never the words of a program. */
export function explain(error: unknown): Explained {
  if (error instanceof InWords) return { title: error.message, advice: t`Nothing was changed.` }
  const { code, name, args } = look(error)
  if (name === 'QuotaExceededError') return tell(NO_SPACE)
  if (name === 'AbortError') return { title: t`It was stopped.`, advice: t`Nothing was changed.` }
  // What a program, a library or the browser said is for programs: it stays in the details.
  return toldByName(name, args) ?? tell(CODES.get(code) ?? FAULT)
}

/** What is called what was refused by a name, in words; undefined for a name that is not known. */
export function refusalTitle(name: string): string | undefined {
  const words = tables?.REFUSALS.get(name)
  return words && i18n._(words.title)
}

/** Title and advice as one text. */
export function explainText(error: unknown): string {
  const { title, advice } = explain(error)
  return `${title} ${advice}`
}
