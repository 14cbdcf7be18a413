import { CONTACT_NAME_MAX, cleanContactName } from '@keyhole/vault'
import { t } from '@lingui/core/macro'
import { numberWords } from '../words/value.ts'
import type { ContactIndex } from './contact-index.ts'

/**
 * Why a contact can't have this name, in words. Undefined if it can.
 * @param id of the contact being named; undefined for a new one
 */
export function nameProblem(index: ContactIndex | undefined, typed: string, id?: string): string | undefined {
  const name = cleanContactName(typed)
  if (name === '') return t`Enter a name.`
  if (name.length > CONTACT_NAME_MAX) return t`At most ${numberWords(CONTACT_NAME_MAX)} characters.`
  if (/^did ?:/i.test(name.normalize('NFKC')) || index?.alike(name, id).isReserved)
    return t`Keyhole uses names like this itself. Choose another name.`
  return undefined
}
