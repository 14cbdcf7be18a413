import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useMemo } from 'react'
import { useVaultQuery } from '../vault/vault-query.ts'
import type { Contacts } from '../words/who.ts'
import { type ContactIndex, contactsOf, readContactIndex } from './contact-index.ts'

interface ContactIndexState {
  /** Undefined until it has been read, and while the vault is locked. */
  readonly index: ContactIndex | undefined
  /** Why it could not be read. */
  readonly failed: unknown
}

/** The contacts of the open account. Read again when they change in any tab. */
export function useContactIndex(): ContactIndexState {
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const isOpen = phase === 'unlocked'
  const { data, failed } = useVaultQuery('contacts', () => readContactIndex(vault), { enabled: isOpen })
  return { index: isOpen ? data : undefined, failed }
}

/** The names that the current account knows: its own keys as "you", and the contacts that its owner has named. */
export function useContacts(): Contacts {
  const { phase, keys, issuerDid } = useVaultSnapshot()
  const { index } = useContactIndex()
  // Compare as text: every change of the account returns a new list, usually with the same keys.
  const own = [...keys.map(({ did }) => did), issuerDid].join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys are compared by their DIDs
  return useMemo(() => contactsOf({ phase, keys, issuerDid }, index), [phase, own, index])
}
