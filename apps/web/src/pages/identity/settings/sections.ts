import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Archive,
  Fingerprint,
  IdCard,
  Info,
  KeyRound,
  Laptop,
  type LucideIcon,
  MonitorSmartphone,
  SunMoon,
  Users,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import { AboutSection } from './about-section.tsx'
import { AccountsSection } from './accounts-section.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { DevicesSection } from './devices-section.tsx'
import { OverviewSection } from './overview-section.tsx'
import type { SectionId } from './section.ts'

/** A section of the settings. */
interface Section {
  readonly title: MessageDescriptor
  /** What it is for. */
  readonly about: MessageDescriptor
  /** What can be set or seen in it, by the names that a person looks for. */
  readonly settings: readonly MessageDescriptor[]
  readonly icon: LucideIcon
  /** What it shows once opened. */
  readonly Panel: ComponentType
}

/** Every section, by its name in the address. */
export const SECTIONS: Readonly<Record<SectionId, Section>> = {
  overview: {
    title: msg`Your account`,
    about: msg`Who you are to others.`,
    settings: [msg`DID`, msg`Address`, msg`QR code`, msg`DID document`, msg`Network`],
    icon: IdCard,
    Panel: OverviewSection,
  },
  keys: {
    title: msg`Keys`,
    about: msg`Create and name keys, sign, and check signatures.`,
    settings: [
      msg`New key`,
      msg`Default key`,
      msg`Rename a key`,
      msg`Delete a key`,
      msg`Sign a text or file`,
      msg`Check a signature`,
    ],
    icon: KeyRound,
    Panel: lazy(() => import('../chunk.ts').then((m) => ({ default: m.KeysTab }))),
  },
  unlock: {
    title: msg`Unlocking`,
    about: msg`How this vault unlocks, and when it locks.`,
    settings: [
      msg`Unlock methods`,
      msg`Change passphrase`,
      msg`Passkeys`,
      msg`Recovery code`,
      msg`Auto-lock`,
      msg`Lock now`,
    ],
    icon: Fingerprint,
    Panel: lazy(() => import('../tabs/unlock-tab.tsx').then((m) => ({ default: m.UnlockTab }))),
  },
  backup: {
    title: msg`Backup and storage`,
    about: msg`Keep your vault safe outside this browser.`,
    settings: [
      msg`Create a backup file`,
      msg`Check a backup file`,
      msg`Merge a backup file`,
      msg`Import a key`,
      msg`Browser storage`,
      msg`Second copy`,
    ],
    icon: Archive,
    Panel: lazy(() => import('../tabs/backup-tab.tsx').then((m) => ({ default: m.BackupTab }))),
  },
  devices: {
    title: msg`Devices`,
    about: msg`Use this vault on several devices.`,
    settings: [msg`Add a device`, msg`Rename a device`, msg`Remove a device`, msg`Relay`],
    icon: Laptop,
    Panel: DevicesSection,
  },
  sessions: {
    title: msg`Apps and tabs`,
    about: msg`Where this vault is open, and which apps are connected.`,
    settings: [msg`Connected apps`, msg`Open tabs`, msg`Sessions`],
    icon: MonitorSmartphone,
    Panel: lazy(() => import('../chunk.ts').then((m) => ({ default: m.SessionsTab }))),
  },
  accounts: {
    title: msg`Vaults`,
    about: msg`The vaults in this browser.`,
    settings: [msg`Switch vaults`, msg`Create another vault`, msg`Restore a vault`, msg`Remove a vault`],
    icon: Users,
    Panel: AccountsSection,
  },
  look: {
    title: msg`Theme and language`,
    about: msg`How Keyhole looks in this browser.`,
    settings: [msg`Light or dark`, msg`English or German`],
    icon: SunMoon,
    Panel: AppearanceSection,
  },
  about: {
    title: msg`About Keyhole`,
    about: msg`Shortcuts, the demo, and what Keyhole stores.`,
    settings: [msg`Keyboard shortcuts`, msg`Demo`, msg`Privacy`],
    icon: Info,
    Panel: AboutSection,
  },
}
