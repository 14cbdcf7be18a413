import type { Mandate } from '@keyhole/vault'
import { type Grant, grantText, tellGrant } from '../grant-words/sentence.ts'
import { spendingOf } from '../grant-words/spending.ts'
import type { Status } from '../search-index/query.ts'
import type { Asked } from '../search-index/read-asked.ts'
import type { FoundItem, FoundToken, SearchEntry, Target } from '../search-index/token-messages.ts'
import { canBeSuspended, isSuspended, isToItself, storedStanding } from '../tokens/capability.ts'
import { AUTHORIZE, REQUEST } from '../words/payment-commands.ts'
import type { Contacts } from '../words/who.ts'
import type { Emphasised } from './highlight.tsx'
import { signedTitle } from './signed-title.ts'

/** A token's status. A mandate that is or may be suspended counts as active in a query. */
export type ShownStatus = Status | 'suspended' | 'unclear'

/** Something in the vault, in words. */
export interface Shown {
  /** Unique. */
  readonly id: string
  readonly kind: 'grant' | 'mandate' | 'received' | 'signed' | SearchEntry['kind']
  readonly title: string
  /** What a grant says, if it is one: the title, or the first field. */
  readonly sentence?: Emphasised
  /** Searched in addition to the title. */
  readonly fields: readonly string[]
  readonly status: ShownStatus | undefined
  readonly at: number | undefined
  /** Where it leads. */
  readonly target: Target
}

const PAYMENTS: ReadonlySet<string> = new Set([AUTHORIZE, REQUEST])

/** What a token doesn't say about itself. */
export interface Known {
  readonly contacts: Contacts
  /** The vault's mandates. Empty while it is locked. */
  readonly mandates?: readonly Mandate[] | undefined
  /** What the token asks for, if it is a request and was read. */
  readonly asked?: Asked | undefined
}

/** A result in words. Undefined if a lock has dropped it in the meantime. */
export function present(item: FoundItem, known: Known, now: number): Shown | undefined {
  if (item.entry) {
    const { id, kind, title, fields, at, target } = item.entry
    return { id, kind, title, fields, status: undefined, at, target }
  }
  return item.token && presentToken(item.token, known, now)
}

function presentToken(token: FoundToken, known: Known, now: number): Shown {
  const { contacts, mandates = [], asked } = known
  const { id, label, command, audienceDid, audience, issuer, subject, cid, createdAt } = token
  const kind = kindOf(token)
  const mandate = command === REQUEST ? mandates.find((each) => each.cid === cid) : undefined
  const spending = mandate && spendingOf(mandate)
  const sentence =
    kind === 'signed'
      ? undefined
      : emphasised(
          tellGrant({ ...token, audience: audienceDid, spending, isToItself: isToItself(token) }, contacts),
        )
  const words = sentence?.text ?? signedTitle(token, contacts, asked)
  const others = new Set([command, audienceDid, audience, issuer, subject ?? '', cid])
  others.delete('')
  return {
    id: `token:${id}`,
    kind,
    title: label ?? words,
    ...(sentence && { sentence }),
    fields: [...(label === undefined ? [] : [words]), ...others],
    status: kind === 'signed' ? undefined : statusOf(token, known, now),
    at: createdAt,
    target: targetOf(kind, cid),
  }
}

/** A grant in one text, with the emphasis that its sentence has. */
function emphasised(grant: Grant): Emphasised {
  const { budget = '', sentence } = grant
  const strong: (readonly [number, number])[] = budget === '' ? [] : [[0, budget.length]]
  let at = budget === '' ? 0 : budget.length + 1
  for (const { text, kind } of sentence) {
    if (kind !== 'plain') strong.push([at, at + text.length])
    at += text.length
  }
  return { text: grantText(grant), strong }
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

function statusOf(token: FoundToken, { contacts, mandates = [] }: Known, now: number): ShownStatus {
  if (token.revoked || token.revokedAbove) return 'revoked'
  if (isSuspended(token, mandates, now)) return 'suspended'
  const stands = storedStanding(token, now)
  if (stands === 'ended') return stands
  if (contacts.isSealed && canBeSuspended(token)) return 'unclear'
  return stands === 'soon' ? stands : 'live'
}

/** Identifiers mean nothing to people. They are shown where they match. */
const IDENTIFIER = /(?:did:key:z|\bbafy)\w{30}|\b[0-9a-f]{8}-[0-9a-f]{4}-/

/** The fields with matching words, shown below the title. At most two. */
export function matchingFields({ fields }: Shown, words: readonly string[]): readonly string[] {
  const hits = fields.filter((field) => {
    const lower = field.toLowerCase()
    return words.some((word) => lower.includes(word))
  })
  return hits.length > 0 ? hits.slice(0, 2) : fields.filter((field) => !IDENTIFIER.test(field)).slice(0, 1)
}
