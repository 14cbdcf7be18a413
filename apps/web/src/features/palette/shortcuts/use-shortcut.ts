import { useVault } from '@keyhole/vault-react'
import { t } from '@lingui/core/macro'
import { linkOptions, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { announce } from '../../../shared/browser/announce.ts'
import { requestForm } from '../../../shared/hooks/requested-forms.ts'
import { explain } from '../../../shared/words/explain-refusal.ts'
import type { Shortcut } from './keys.ts'

/** Where each shortcut leads that leads somewhere. */
const PLACES = {
  home: linkOptions({ to: '/' }),
  identity: linkOptions({ to: '/identity' }),
  payment: linkOptions({ to: '/payment' }),
  search: linkOptions({ to: '/search' }),
  demo: linkOptions({ to: '/demo' }),
  keys: linkOptions({ to: '/identity', search: { tab: 'keys' } }),
  grants: linkOptions({ to: '/identity', search: { tab: 'grants' } }),
  received: linkOptions({ to: '/identity', search: { tab: 'received' } }),
  check: linkOptions({ to: '/identity', search: { tab: 'check' } }),
  unlocking: linkOptions({ to: '/identity', search: { tab: 'unlock' } }),
  backup: linkOptions({ to: '/identity', search: { tab: 'backup' } }),
  activity: linkOptions({ to: '/identity', search: { tab: 'activity' } }),
  contacts: linkOptions({ to: '/identity', search: { tab: 'contacts' } }),
  settings: linkOptions({ to: '/identity', search: { tab: 'settings' } }),
  sessions: linkOptions({ to: '/identity', search: { tab: 'sessions' } }),
  devices: linkOptions({ to: '/identity', search: { tab: 'devices' } }),
  accounts: linkOptions({ to: '/register', search: { tab: 'accounts' } }),
  new: linkOptions({ to: '/identity', search: { tab: 'grants' } }),
  take: linkOptions({ to: '/identity', search: { tab: 'received' } }),
} as const

/** Which form is wanted there. */
const FORMS: Partial<Record<Shortcut, string>> = { new: 'grant', take: 'receive' }

/**
 * Does what a shortcut stands for, wherever one is.
 * @param onUnlock shows where the vault is unlocked
 */
export function useShortcut(onUnlock: () => void): (shortcut: Shortcut) => void {
  const vault = useVault()
  const navigate = useNavigate()
  return useCallback(
    (shortcut) => {
      const { phase } = vault.getSnapshot()
      if (shortcut === 'lock') {
        if (phase !== 'unlocked') return
        vault.lock().then(
          () => announce(t`Locked`, t`In every tab of this browser. The keys are gone from memory.`),
          (error: unknown) => announce(explain(error).title, explain(error).advice),
        )
      } else if (shortcut === 'unlock') {
        if (phase === 'locked') onUnlock()
      } else {
        void navigate(PLACES[shortcut])
        const form = FORMS[shortcut]
        if (form !== undefined) requestForm(form)
      }
    },
    [vault, navigate, onUnlock],
  )
}
