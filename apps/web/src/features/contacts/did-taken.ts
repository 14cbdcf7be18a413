import { t } from '@lingui/core/macro'
import type { ContactIndex } from '../../shared/contacts/contact-index.ts'
import { didProblem } from '../../shared/words/recognise.ts'
import { nameWords } from '../../shared/words/who.ts'

/** Why a DID can't be added to a contact, in words; undefined where it can. */
export function didTaken(index: ContactIndex | undefined, typed: string): string | undefined {
  const did = typed.trim()
  const problem = didProblem(did)
  if (problem !== undefined) return problem
  const other = index?.named.get(did)
  if (other === undefined) return undefined
  const name = nameWords(other.name)
  return t`This key belongs to ${name}.`
}
