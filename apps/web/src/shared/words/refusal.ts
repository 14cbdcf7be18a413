import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { engineWords } from './engine.ts'
import { BY_CODE, NO_ROOM, type Told } from './refusals/told.ts'
import type { Words } from './refusals/words.ts'
import { moment } from './when.ts'
import { shorten } from './who.ts'

/** A refusal in the person's words: what happened, and what to do about it. */
export interface Explained {
  title: string
  advice: string
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
  message: string
  /** What the refusal is about. */
  args: object
  /** Whether it was refused as a value: a fault of the program is thrown, and a reason is caught with it. */
  refused: boolean
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
    // What the engine said underneath tells more than what was being done.
    message: text(
      field(details, 'reason'),
      field(error, 'message'),
      field(error, 'error'),
      typeof error === 'string' ? error : '',
    ),
    refused: text(field(details, 'code')) !== '' && field(details, 'reason') === undefined,
  }
}

/** What a refused token is called, in words; undefined for a name that is not one of the token errors. */
export function tokenRefusal(name: string): Explained | undefined {
  const told = tables?.REFUSALS.get(name)
  return told && tell(told)
}

/** Any error in the person's words. Never a code alone; the engine's own text rides along where it says more. */
export function explain(error: unknown): Explained {
  const { code, name, args, message, refused } = look(error)
  if (name === 'QuotaExceededError') return tell(NO_ROOM)
  if (name === 'AbortError') return { title: t`It was stopped.`, advice: t`Nothing was changed.` }
  const words = tables?.REFUSALS.get(name)
  if (words) {
    const { title, advice } = tell(words, args)
    const why = tables?.WHYS.get(text(field(args, 'why')))
    if (why) return { title, advice: `${say(why, args)} ${advice}` }
    return {
      title,
      advice: tables?.SPECIFIC.has(name) && message !== '' ? `${sentence(message)} ${advice}` : advice,
    }
  }
  const byCode = CODES.get(code)
  if (byCode) return tell(byCode)
  // What was refused underneath may be of the client's own making: a list of what does not parse is for nobody to read.
  const said = engineWords(message) ?? engineWords(text(field(error, 'message')))
  // Nor is what a library or the browser said: that stays in the details, for programs.
  const own = text(field(error, 'message'), message)
  const title = said?.words ?? (own === '' ? t`That did not work.` : sentence(own))
  if (said !== undefined || refused) return { title, advice: said?.advice ?? t`Nothing was changed.` }
  return { title, advice: t`Nothing was changed. If it happens again, reload the page.` }
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

/** The engine's message as a sentence for people: in their language where it is known, times as dates, DIDs shortened, a capital and a full stop. */
export function sentence(message: string): string {
  const said = engineWords(message.trim())
  if (said) return said.advice === undefined ? said.words : `${said.words} ${said.advice}`
  const trimmed = message
    .trim()
    .replace(/\b(\d{1,16}) \(seconds since 1970\)/g, (_, seconds: string) => moment(Number(seconds) * 1000))
    .replace(/did:[a-z0-9]+:[A-Za-z0-9]{24,}/g, (did) => shorten(did))
  const capital = trimmed.startsWith('did:') ? trimmed : trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}
