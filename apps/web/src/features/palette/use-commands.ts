import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import {
  Copy,
  DoorOpen,
  Keyboard,
  Languages,
  Lock,
  LockOpen,
  Plus,
  ScanLine,
  SunMoon,
  UserRound,
} from 'lucide-react'
import { LANGUAGE_TAGS, LANGUAGES } from '../../locales/languages.js'
import { announce } from '../../shared/browser/announce.ts'
import { chooseTheme, useTheme } from '../../shared/browser/theme.ts'
import { chooseLanguage } from '../../shared/language/language.ts'
import { useLanguage } from '../../shared/language/use-language.ts'
import { explain } from '../../shared/words/explain-refusal.ts'
import { shorten } from '../../shared/words/who.ts'
import type { Entry } from './entry.ts'
import type { Shortcut } from './shortcuts/keys.ts'
import type { Shown } from './shown.ts'
import { usePlaces } from './use-places.ts'

interface Wishes {
  perform: (shortcut: Shortcut) => void
  onShow: (shown: Shown) => void
}

/** Everything the palette can do: the places first, then the deeds that are possible at this moment. */
export function useCommands({ perform, onShow }: Wishes): { places: Entry[]; deeds: Entry[] } {
  const { t } = useLingui()
  const vault = useVault()
  const navigate = useNavigate()
  const { phase, issuerDid, accounts } = useVaultSnapshot()
  const theme = useTheme()
  const language = useLanguage()
  const places = usePlaces(perform)
  const has = phase === 'locked' || phase === 'unlocked'

  const deeds: Entry[] = []
  if (has) {
    const grant = { id: 'new', title: t`New grant`, also: t`give, allow, share, token`, icon: Plus }
    deeds.push({ ...grant, keys: ['n'], run: () => perform('new'), leaves: true })
    const take = { id: 'take', title: t`Add a token`, also: t`receive, import, paste`, icon: DoorOpen }
    deeds.push({ ...take, keys: ['t'], run: () => perform('take'), leaves: true })
  }
  if (phase === 'unlocked') {
    const lock = { id: 'lock', title: t`Lock the vault`, also: t`close, sign out`, icon: Lock }
    deeds.push({ ...lock, keys: ['l'], run: () => perform('lock'), leaves: false })
  }
  if (phase === 'locked') {
    const unlock = { id: 'unlock', title: t`Unlock the vault`, also: t`open, sign in`, icon: LockOpen }
    deeds.push({ ...unlock, keys: ['u'], run: () => onShow('unlock'), leaves: false })
  }
  const scan = { id: 'scan', title: t`Scan a QR code`, also: t`camera, picture, photo`, icon: ScanLine }
  deeds.push({ ...scan, run: () => onShow('scan'), leaves: false })
  if (issuerDid !== undefined) {
    deeds.push({
      id: 'copy-did',
      title: t`Copy my DID`,
      also: t`identifier, share, clipboard`,
      icon: Copy,
      leaves: false,
      run: () =>
        void navigator.clipboard.writeText(issuerDid).then(
          () => announce(t`Your DID is copied`, shorten(issuerDid)),
          () => announce(t`The browser did not let it be copied`, t`Copy it by hand under Settings.`),
        ),
    })
  }
  if (phase === 'empty') {
    const make = { id: 'create', title: t`Create vault`, also: t`register, sign up, new`, icon: Plus }
    deeds.push({ ...make, run: () => void navigate({ to: '/register' }), leaves: true })
  }
  for (const { address, label, active } of accounts) {
    if (active) continue
    deeds.push({
      id: `account:${address}`,
      title: t`Switch to ${label ?? shorten(address)}`,
      also: t`vault, account, open, other`,
      detail: t`Locks the one you leave.`,
      icon: UserRound,
      leaves: false,
      run: () =>
        vault.accounts.open(address).then(
          () => announce(t`Switched to another vault`, shorten(address)),
          (error: unknown) => announce(explain(error).title, explain(error).advice),
        ),
    })
  }
  const themes = [
    ['light', t`Theme: light`],
    ['dark', t`Theme: dark`],
    ['system', t`Theme: as the system`],
  ] as const
  for (const [value, title] of themes) {
    if (value === theme) continue
    const also = t`colours, mode, appearance, night`
    const run = () => chooseTheme(value)
    deeds.push({ id: `theme:${value}`, title, also, icon: SunMoon, run, leaves: false })
  }
  for (const each of LANGUAGE_TAGS) {
    if (each === language) continue
    const { name } = LANGUAGES[each]
    // The page is drawn anew then, and with it whatever had the focus.
    const run = () =>
      void chooseLanguage(each).then(
        () => document.getElementById('page')?.focus(),
        () => announce(t`That language could not be fetched. Try again when you are online.`),
      )
    // Who looks for it may not read the language that is shown.
    const also = LANGUAGE_TAGS.flatMap((reader) => [
      LANGUAGES[reader].word,
      new Intl.DisplayNames(reader, { type: 'language' }).of(each) ?? '',
    ]).join(', ')
    deeds.push({
      id: `language:${each}`,
      title: t`Language: ${name}`,
      also,
      icon: Languages,
      run,
      leaves: true,
    })
  }
  const list = { id: 'list', title: t`Keyboard shortcuts`, also: t`keys, help, hotkeys`, icon: Keyboard }
  deeds.push({ ...list, keys: ['?'], run: () => onShow('list'), leaves: false })
  return { places, deeds }
}
