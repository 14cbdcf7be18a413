import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { visible } from '../text/visible.ts'
import { BY_CODE, FAULT, NO_SPACE, type Told } from './refusals/by-code.ts'
import type { Words } from './refusals/words.ts'
import { moment } from './when.ts'
import { shorten } from './who.ts'

/** A refusal in plain words: what happened, and what to do. */
export interface Explained {
  title: string
  advice: string
}

/** A refusal by the client itself, in words that a person can act on. */
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

/** Settles once every name has words. They load separately; until then a refusal is explained by its code. */
export const refusalWords: Promise<void> = import('./refusals/words.ts').then(
  (loaded) => {
    tables = loaded
    for (const listener of listeners) listener()
  },
  // If they fail to load, the codes still have words.
  () => undefined,
)

/** For `useSyncExternalStore`: a refusal's text changes when its words have loaded. */
export const loadedWords = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  get: (): unknown => tables,
}

/** The parts of an error we use. Anything may be thrown, so check everything. */
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
    // An Error's own name is VaultError or DOMException. The refusal's name is in the details.
    name: text(field(details, 'name'), field(cause, 'name'), field(error, 'name')),
    args: typeof args === 'object' && args !== null ? args : {},
  }
}

/** What exactly a refusal is about, from its arguments: its reason, a moment, or what was expected and found. */
function detailOf(name: string, args: object): string | undefined {
  const why = tables?.WHYS.get(text(field(args, 'why')))
  if (why) return say(why, args)
  const [expected, found] = [field(args, 'expected'), field(args, 'found')]
  if (name === 'Expired' && typeof expected === 'number') return t`It expired on ${moment(expected * 1000)}.`
  if (name === 'TooEarly' && typeof expected === 'number') return t`It starts on ${moment(expected * 1000)}.`
  if (!COMPARING.has(name) || typeof expected !== 'string' || typeof found !== 'string') return undefined
  return t`Expected: ${nameOf(expected)}. Found: ${nameOf(found)}.`
}

/** Rules that compare people or commands. */
const COMPARING: ReadonlySet<string> = new Set(['InvalidAudience', 'InvalidSubject', 'InvalidCommand'])

const nameOf = (text: string) => (text.startsWith('did:') ? shorten(text) : visible(text))

/** The words for a refusal's name and arguments. Undefined if it has none, or they haven't loaded. */
function toldByName(name: string, args: object): Explained | undefined {
  const words = tables?.REFUSALS.get(name)
  if (!words) return undefined
  const { title, advice } = tell(words, args)
  const detail = detailOf(name, args)
  return { title, advice: detail === undefined ? advice : `${detail} ${advice}` }
}

/**
 * Why a checked token isn't valid, in words: what happened, and what to do.
 * @param rule the enclave's answer, with its `name`, and `why`, `expected` and `found` if there are any
 */
export function explainRule(rule: object): Explained {
  const name = text(field(rule, 'name'))
  return toldByName(name, rule) ?? { title: t`It is not valid.`, advice: detailOf(name, rule) ?? '' }
}

/** Any error in plain words. Never just a code, and never a program's text. */
export function explain(error: unknown): Explained {
  if (error instanceof InWords) return { title: error.message, advice: t`Nothing was changed.` }
  const { code, name, args } = look(error)
  if (name === 'QuotaExceededError') return tell(NO_SPACE)
  if (name === 'AbortError') return { title: t`It was stopped.`, advice: t`Nothing was changed.` }
  // Texts of a program, library or browser stay in the details.
  return toldByName(name, args) ?? tell(CODES.get(code) ?? FAULT)
}

/** The title for a refusal's name. Undefined for an unknown one. */
export function refusalTitle(name: string): string | undefined {
  const words = tables?.REFUSALS.get(name)
  return words && i18n._(words.title)
}

/** Title and advice as one text. */
export function explainText(error: unknown): string {
  const { title, advice } = explain(error)
  return `${title} ${advice}`
}
