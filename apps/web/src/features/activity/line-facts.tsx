import type { ActivityLine } from '@keyhole/vault'
import { useVaultSnapshot } from '@keyhole/vault-react'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useContactIndex, useContacts } from '../../shared/contacts/use-contacts.ts'
import type { NamedToken } from '../../shared/tokens/use-tokens.ts'
import { aboutFacts, type Fact } from '../../shared/words/activity.ts'
import { keyName } from '../../shared/words/key-name.ts'
import { payeeName } from '../../shared/words/payment.ts'
import { type Contacts, nameWords, who } from '../../shared/words/who.ts'
import { identifierIn, isToken } from './identifiers.ts'

/** The look of a link to what a line is about. */
const IDENTIFIED =
  'reach inline-block min-h-6 rounded-sm text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink'

/** Acts that are about a grant, given or received. */
const GRANT_ACTS: ReadonlySet<string> = new Set([
  'grant',
  'narrow',
  'receive',
  'labelToken',
  'handOver',
  'opened',
])

const MANDATE_ACTS: ReadonlySet<string> = new Set([
  'makeMandate',
  'suspendMandate',
  'confirmMandate',
  'endMandate',
])

/** A fact as it is shown. */
export interface LineFact {
  readonly field: string
  /** Undefined if it has no name here: then it's only in the details. */
  readonly shown: ReactNode
}

/** An identifier of a line, for its details. */
export interface LineDetail {
  readonly field: string
  readonly name: string
  readonly shown: ReactNode
}

/**
 * What a line is about: by name where it can be read, and by identifier in its details.
 * @param names what to call the tokens of the log
 */
export function useLineFacts(
  line: ActivityLine,
  names: ReadonlyMap<string, NamedToken>,
): { readonly facts: readonly LineFact[]; readonly details: readonly LineDetail[] } {
  const { index } = useContactIndex()
  const { keys } = useVaultSnapshot()
  const contacts = useContacts()
  const all = aboutFacts(line)
  const { act } = line
  const isToOther = all.some(({ field, value }) => field === 'audience' && !contacts.own.has(value))
  const isRevocation = all.some(({ field }) => field === 'revokes')
  const shownAs = (fact: Fact): ReactNode => {
    const { name, field, value, finds } = fact
    if (value === '') return name
    if (isToken(fact)) {
      const token = names.get(finds ?? value)
      const called = token && (token.label ?? (isToOther ? undefined : unnamedToken(token, contacts)))
      return called && <Found fact={fact} act={act} shown={called} />
    }
    const text = (shown: string) => (
      <>
        {name} <bdi className="text-ink-soft">{shown}</bdi>
      </>
    )
    if (field === 'contact') {
      const contact = index?.byId.get(value)
      return contact && text(nameWords(contact.name))
    }
    if (field === 'key') {
      const key = keys.find(({ key_id }) => key_id === value)
      return key && text(keyName(key, keys))
    }
    if (finds === undefined) return identifierIn(fact) === undefined ? text(value) : undefined
    // A revocation is addressed to the vault itself, which says nothing.
    if (field === 'audience' && isRevocation && contacts.own.has(value)) return undefined
    const person =
      field === 'payee'
        ? payeeName(finds, contacts)
        : field === 'audience' && contacts.own.has(value)
          ? t({ message: 'you', context: 'to you', comment: 'After “to”, in the log' })
          : who(value, contacts)
    return (
      <>
        {name} <Found fact={fact} act={act} shown={person} />
      </>
    )
  }
  return {
    facts: all.flatMap((fact) => {
      const shown = shownAs(fact)
      return shown === undefined ? [] : [{ field: fact.field, shown }]
    }),
    details: all.flatMap((fact) => {
      const { field, name } = fact
      const id = identifierIn(fact)
      if (id === undefined) return []
      const isFound = fact.finds !== undefined && field !== 'key'
      return [{ field, name, shown: isFound ? <Found key={field} fact={fact} act={act} shown={id} /> : id }]
    }),
  }
}

/** What to call a token without a name: by the person on its other side. */
function unnamedToken({ type, did }: NamedToken, contacts: Contacts): string | undefined {
  if (contacts.own.has(did)) return undefined
  const person = who(did, contacts)
  switch (type) {
    case 'origin':
    case 'attenuated':
      return t`grant to ${person}`
    case 'received':
      return t`grant from ${person}`
    case 'invocation':
      return t`request to ${person}`
    default:
      return undefined
  }
}

/** A link to what a fact names: its page if it has one, and otherwise what search finds. */
function Found({ fact: { field, value, finds = value }, act, shown }: FoundProps) {
  const isGrant = field === 'revokes' || (field === 'cid' && GRANT_ACTS.has(act))
  const place =
    field === 'mandate' || (field === 'cid' && MANDATE_ACTS.has(act))
      ? { to: '/payment' as const, search: { tab: 'mandates' as const, mandate: finds } }
      : isGrant
        ? {
            to: '/identity' as const,
            search: { tab: act === 'receive' ? ('received' as const) : ('grants' as const), token: finds },
          }
        : { to: '/search' as const, search: { q: finds } }
  return (
    <Link {...place} title={finds} className={IDENTIFIED}>
      <bdi>{shown}</bdi>
    </Link>
  )
}

interface FoundProps {
  fact: Fact
  act: string
  shown: string
}
