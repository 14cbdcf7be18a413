import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { skipCode } from '../../../features/account/setup.ts'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import type { AttentionItem } from './attention-items.ts'

/** What the person should see to, each until it is done. Locked, a vault can't know all of it. */
export function Attention({ items }: { items: readonly AttentionItem[] }) {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  const sealed =
    phase === 'unlocked' ? null : (
      <p className="text-ink-soft">
        <Trans>Unlock the vault to check its backup, recovery code and mandates.</Trans>
      </p>
    )
  if (items.length === 0) return sealed ?? <Nothing />
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
        {sealed && <li>{sealed}</li>}
      </ul>
    </Card>
  )
}

function Nothing() {
  return (
    <p className="flex items-center gap-2 text-ink-soft">
      <CircleCheck className="size-5 shrink-0 text-good" aria-hidden />
      <Trans>Nothing needs your attention.</Trans>
    </p>
  )
}

/** The link to where an item is seen to. */
function Way({ item: { id, action, mandate } }: { item: AttentionItem }) {
  const look = buttonClass('quiet', 'small')
  if (id === 'code') {
    return (
      <Link to="/register" className={look} onClick={() => skipCode(false)}>
        {action}
      </Link>
    )
  }
  if (id === 'suspended') {
    return (
      <Link to="/payment" search={{ tab: 'mandates', mandate }} className={look}>
        {action}
      </Link>
    )
  }
  const tab =
    id === 'unconfirmed' ? 'unlock' : id === 'unsent' || id === 'soon' || id === 'long' ? 'grants' : 'backup'
  return (
    <Link to="/identity" search={{ tab }} className={look}>
      {action}
    </Link>
  )
}
