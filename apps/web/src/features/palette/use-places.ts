import { useLingui } from '@lingui/react/macro'
import {
  Archive,
  BadgeCheck,
  Contact,
  CreditCard,
  Fingerprint,
  FlaskConical,
  History,
  House,
  IdCard,
  Inbox,
  KeyRound,
  Search,
  Ticket,
  Users,
} from 'lucide-react'
import type { Entry } from './entry.ts'
import { GO, type Shortcut } from './keys.ts'

const LETTERS = new Map(Object.entries(GO).map(([letter, shortcut]) => [shortcut, letter]))

/** Every page and tab, by the names that they have. */
export function usePlaces(perform: (shortcut: Shortcut) => void): Entry[] {
  const { t } = useLingui()
  const tab = t`Identity`
  const places: readonly [Shortcut, string, Entry['icon'], string | undefined, string][] = [
    ['home', t`Home`, House, undefined, t`start, overview, timeline`],
    ['identity', t`Identity`, IdCard, undefined, t`DID, address, QR, me`],
    ['payment', t`Payments`, CreditCard, undefined, t`mandates, money, pay`],
    ['search', t`Search`, Search, undefined, t`find, filter`],
    ['demo', t`Demo`, FlaskConical, undefined, t`try, attacks, benchmark, functions`],
    ['grants', t`Grants`, Ticket, tab, t`given, tokens, revoke`],
    ['received', t`Received`, Inbox, tab, t`tokens given to you, use`],
    ['contacts', t`Contacts`, Contact, tab, t`people, apps, agents, names, address book`],
    ['keys', t`Keys`, KeyRound, tab, t`generate, sign, verify`],
    ['check', t`Check a token`, BadgeCheck, tab, t`inspect, verify, paste`],
    ['unlocking', t`Ways to unlock`, Fingerprint, tab, t`passphrase, passkey, recovery code, auto-lock`],
    ['backup', t`Backup`, Archive, tab, t`back up, export, import, restore, storage`],
    ['activity', t`Activity`, History, tab, t`log, history`],
    ['accounts', t`Accounts in this browser`, Users, undefined, t`switch, remove, other`],
  ]
  return places.map(([shortcut, title, icon, kind, also]) => ({
    id: shortcut,
    title,
    icon,
    kind,
    also,
    keys: ['g', LETTERS.get(shortcut) ?? ''],
    run: () => perform(shortcut),
    leaves: true,
  }))
}
