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
  Laptop,
  MonitorSmartphone,
  Search,
  Settings,
  Ticket,
  Users,
} from 'lucide-react'
import type { Entry } from './entry.ts'
import { GO, type Shortcut } from './shortcuts/keys.ts'

const LETTERS = new Map(Object.entries(GO).map(([letter, shortcut]) => [shortcut, letter]))

/** Every place and its parts, by the names that they have. */
export function usePlaces(perform: (shortcut: Shortcut) => void): Entry[] {
  const { t } = useLingui()
  const [grants, settings] = [t`Grants`, t`Settings`]
  const places: readonly [Shortcut, string, Entry['icon'], string | undefined, string][] = [
    ['home', t`Home`, House, undefined, t`start, overview, timeline`],
    ['grants', grants, Ticket, undefined, t`given, tokens, revoke`],
    ['received', t`Received`, Inbox, grants, t`tokens from others, use`],
    ['contacts', t`Contacts`, Contact, grants, t`people, apps, agents, names, address book`],
    ['payment', t`Payments`, CreditCard, undefined, t`mandates, money, pay`],
    ['activity', t`Activity`, History, undefined, t`log, history`],
    ['search', t`Search`, Search, undefined, t`find, filter`],
    ['check', t`Check a token`, BadgeCheck, undefined, t`inspect, verify, paste`],
    ['settings', settings, Settings, undefined, t`preferences, options, configure`],
    ['identity', t`Your account`, IdCard, settings, t`DID, address, QR, me, identity`],
    ['keys', t`Keys`, KeyRound, settings, t`generate, sign, verify`],
    ['unlocking', t`Ways to unlock`, Fingerprint, settings, t`passphrase, passkey, recovery code, auto-lock`],
    ['backup', t`Backup`, Archive, settings, t`back up, export, import, restore, storage`],
    ['devices', t`Devices`, Laptop, settings, t`phone, sync, several devices, add, remove`],
    ['sessions', t`Apps and tabs`, MonitorSmartphone, settings, t`sessions, connected, disconnect`],
    ['accounts', t`Vaults in this browser`, Users, settings, t`accounts, switch, remove, other`],
    ['demo', t`Demo`, FlaskConical, undefined, t`try, attacks, benchmark, functions`],
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
