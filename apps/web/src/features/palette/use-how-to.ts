import { useLingui } from '@lingui/react/macro'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { LifeBuoy } from 'lucide-react'
import { requestForm } from '../../shared/hooks/requested-forms.ts'
import type { Entry } from './entry.ts'

type To = Pick<LinkProps, 'to' | 'search'>

/** Questions that lead to the place that answers them. */
export function useHowTo(onWords: () => void): Entry[] {
  const { t } = useLingui()
  const navigate = useNavigate()
  const settings = (tab: 'unlock' | 'backup' | 'sessions' | 'overview'): To => ({
    to: '/identity',
    search: { tab },
  })
  const given: To = { to: '/identity', search: { tab: 'grants', show: 'open' } }
  const received: To = { to: '/identity', search: { tab: 'received' } }
  const questions: readonly [id: string, title: string, also: string, To, form?: string][] = [
    [
      'give',
      t`How do I let an agent do one thing?`,
      t`grant, allow, share, app, access`,
      { to: '/identity', search: { tab: 'grants' } },
      'grant',
    ],
    ['revoke', t`How do I revoke a grant?`, t`end, stop, undo, take back`, given],
    ['renew', t`How do I make a grant last longer?`, t`renew, extend, expiry, expired`, given],
    ['hand-over', t`How do I hand a grant over again?`, t`send, link, QR, token, lost`, given],
    [
      'use',
      t`How do I use a token I was sent?`,
      t`received, add, paste, narrow, pass on`,
      received,
      'receive',
    ],
    [
      'check',
      t`How do I check a stranger’s token?`,
      t`verify, inspect, valid`,
      { to: '/identity', search: { tab: 'check' } },
    ],
    [
      'name',
      t`How do I give a key a name?`,
      t`contact, person, rename, unknown`,
      { to: '/identity', search: { tab: 'contacts' } },
    ],
    [
      'spend',
      t`How do I let an agent pay within a budget?`,
      t`mandate, money, spend`,
      { to: '/payment', search: { tab: 'new' } },
    ],
    ['did', t`How do I share my DID?`, t`identifier, address, QR`, settings('overview')],
    ['back-up', t`How do I back up my vault?`, t`export, file, save, copy`, settings('backup')],
    [
      'move',
      t`How do I restore my vault in another browser?`,
      t`move, import, lost, new device, recovery code`,
      { to: '/register', search: { tab: 'restore' } },
    ],
    [
      'unlock',
      t`How do I change how I unlock?`,
      t`passphrase, passkey, recovery code, forgot`,
      settings('unlock'),
    ],
    ['apps', t`How do I disconnect an app?`, t`session, end, connected`, settings('sessions')],
  ]
  return [
    ...questions.map(
      ([id, title, also, to, form]): Entry => ({
        ...{ id: `how:${id}`, title, also, icon: LifeBuoy, leaves: true },
        run: () => {
          void navigate(to)
          if (form !== undefined) requestForm(form)
        },
      }),
    ),
    {
      ...{ id: 'words', title: t`What do Keyhole’s words mean?`, icon: LifeBuoy, leaves: false },
      also: t`glossary, help, terms, grant, token, mandate, DID, chain`,
      run: onWords,
    },
  ]
}
