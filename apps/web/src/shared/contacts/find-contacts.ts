import type { Contact } from '@keyhole/vault'
import { formatTag } from '../language/language.ts'

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Contacts sorted by name in the page's language. */
export function byName(contacts: readonly Contact[]): Contact[] {
  const { compare } = new Intl.Collator(formatTag(), { sensitivity: 'base', numeric: true })
  return [...contacts].sort((a, b) => compare(a.name, b.name) || a.createdAt - b.createdAt)
}

/**
 * The contacts that match a text, those whose names start with it first. An empty text matches all. Every word must be in the name, the
 * note or one of the DIDs.
 * @param contacts in the order in which to return them
 */
export function findContacts(contacts: readonly Contact[], text: string): readonly Contact[] {
  const words = plain(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return contacts
  const first: Contact[] = []
  const then: Contact[] = []
  for (const contact of contacts) {
    const name = plain(contact.name)
    const hay = [name, plain(contact.note ?? ''), ...contact.dids.map((did) => did.toLowerCase())].join('\n')
    if (!words.every((word) => hay.includes(word))) continue
    if (name.startsWith(words[0] ?? '')) first.push(contact)
    else then.push(contact)
  }
  return [...first, ...then]
}
