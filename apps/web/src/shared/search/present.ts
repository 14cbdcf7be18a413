import { delegationSentence } from '../grant-words/sentence.ts'
import type { Status } from '../search-index/query.ts'
import type { FoundItem, FoundToken, SearchEntry, Target } from '../search-index/token-messages.ts'
import { storedStanding } from '../tokens/capability.ts'
import { AUTHORIZE, REQUEST } from '../words/payment-commands.ts'
import type { Contacts } from '../words/who.ts'
import { signedWord } from './signed-word.ts'

/** Something in the vault, in words. */
export interface Shown {
  /** Unique. */
  readonly id: string
  readonly kind: 'grant' | 'mandate' | 'received' | 'signed' | SearchEntry['kind']
  readonly title: string
  /** Searched in addition to the title. */
  readonly fields: readonly string[]
  readonly status: Status | undefined
  readonly at: number | undefined
  /** Where it leads. */
  readonly target: Target
}

const PAYMENTS: ReadonlySet<string> = new Set([AUTHORIZE, REQUEST])

/** A result in words. Undefined if a lock has dropped it in the meantime. */
export function present(item: FoundItem, contacts: Contacts, now: number): Shown | undefined {
  if (item.entry) {
    const { id, kind, title, fields, at, target } = item.entry
    return { id, kind, title, fields, status: undefined, at, target }
  }
  return item.token && presentToken(item.token, contacts, now)
}

function presentToken(token: FoundToken, contacts: Contacts, now: number): Shown {
  const { id, type, label, command, audienceDid, audience, issuer, subject, cid, createdAt } = token
  const sentence = delegationSentence({ ...token, audience: audienceDid }, contacts)
  const kind = kindOf(token)
  const given = kind === 'signed' ? undefined : sentence
  const title = label ?? given ?? `${command} · ${signedWord(type)}`
  const others = new Set([command, audienceDid, audience, issuer, subject ?? '', cid])
  others.delete('')
  return {
    id: `token:${id}`,
    kind,
    title,
    fields: [...(label === undefined || given === undefined ? [] : [given]), ...others],
    status: kind === 'signed' ? undefined : statusOf(token, now),
    at: createdAt,
    target: targetOf(kind, cid),
  }
}

function kindOf({ type, command }: FoundToken): 'grant' | 'mandate' | 'received' | 'signed' {
  if (type === 'received') return 'received'
  if (type !== 'origin' && type !== 'attenuated') return 'signed'
  return PAYMENTS.has(command) ? 'mandate' : 'grant'
}

function targetOf(kind: ReturnType<typeof kindOf>, cid: string): Target {
  if (kind === 'signed' || kind === 'mandate') return { page: kind, cid }
  return { page: 'token', tab: kind === 'received' ? 'received' : 'grants', cid }
}

function statusOf(token: FoundToken, now: number): Status {
  if (token.revoked) return 'revoked'
  const stands = storedStanding({ ...token, token: '' }, now)
  return stands === 'ended' || stands === 'soon' ? stands : 'live'
}

/** The fields with matching words, shown below the title. At most two. */
export function matchingFields({ fields }: Shown, words: readonly string[]): readonly string[] {
  const hits = fields.filter((field) => {
    const lower = field.toLowerCase()
    return words.some((word) => lower.includes(word))
  })
  return (hits.length > 0 ? hits : fields).slice(0, hits.length > 0 ? 2 : 1)
}
