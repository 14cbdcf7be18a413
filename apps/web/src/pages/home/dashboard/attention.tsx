import { useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { codeWaits, useSetup } from '../../../features/account/setup.ts'
import { useBackupHealth } from '../../../features/backup/use-backup-health.ts'
import { useStorage } from '../../../features/backup/use-storage.ts'
import { mandateState } from '../../../features/payments/mandates/mandate-state.ts'
import type { ListedToken } from '../../../shared/tokens/use-tokens.ts'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { useUnconfirmedCode } from '../../../shared/unlock-proof/unconfirmed-code.ts'
import { useMandates } from '../../../shared/vault/use-sealed-lists.ts'
import { type AttentionItem, attentionItems } from './attention-items.ts'

interface AttentionProps {
  /** Live grants, as far as they were read. */
  live: readonly ListedToken[]
  /** How many of all live grants end soon. */
  soon: number
  now: number
}

/** What the person should see to: the backup, the storage, suspended mandates, grants that end soon. Each goes when it was seen to. */
export function Attention({ live, soon, now }: AttentionProps) {
  const { t } = useLingui()
  const { address } = useVaultSnapshot()
  const { health: backup } = useBackupHealth()
  const { health: storage } = useStorage()
  const setup = useSetup()
  const waits = codeWaits(setup) && setup?.address === address
  const codeUnconfirmed = useUnconfirmedCode()
  const { mandates } = useMandates()
  const suspended = mandates.filter((mandate) => mandateState(mandate, now) === 'suspended').length
  const items = attentionItems({
    codeWaits: waits,
    codeUnconfirmed,
    backup,
    storage,
    suspended,
    soon,
    live,
    now,
  })
  if (items.length === 0) return null
  return (
    <Card title={t`Needs attention`}>
      <ul className="flex flex-col gap-3">
        {items.map((item) => (
          <li key={item.id}>
            <Notice tone={item.tone} title={item.title} actions={<Way item={item} />}>
              {item.text}
            </Notice>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The link to where an item is seen to. */
function Way({ item: { id, action } }: { item: AttentionItem }) {
  const look = buttonClass('quiet', 'small')
  if (id === 'code') {
    return (
      <Link to="/register" className={look}>
        {action}
      </Link>
    )
  }
  if (id === 'suspended') {
    return (
      <Link to="/payment" className={look}>
        {action}
      </Link>
    )
  }
  const tab = id === 'unconfirmed' ? 'unlock' : id === 'soon' || id === 'long' ? 'grants' : 'backup'
  return (
    <Link to="/identity" search={{ tab }} className={look}>
      {action}
    </Link>
  )
}
