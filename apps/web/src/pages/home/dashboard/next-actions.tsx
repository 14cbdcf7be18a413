import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { BadgeCheck, ChevronRight, CreditCard, Inbox, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../../shared/ui/layout/card.tsx'

const ROW = '-mx-2 flex items-center gap-3 rounded-lg p-2 text-sm hover:bg-sunken'

/** What one can do from here, each a click away. */
export function NextActions() {
  const { t } = useLingui()
  return (
    <Card title={t`What next`}>
      <ul className="flex flex-col gap-1">
        <li>
          <Link to="/identity" search={{ tab: 'grants' }} className={ROW}>
            <Action icon={<KeyRound />} title={t`Grant something`}>
              <Trans>An app, a device or an agent gets a key to one door.</Trans>
            </Action>
          </Link>
        </li>
        <li>
          <Link to="/identity" search={{ tab: 'received' }} className={ROW}>
            <Action icon={<Inbox />} title={t`Take in a token`}>
              <Trans>Keep what someone gave you, and use it.</Trans>
            </Action>
          </Link>
        </li>
        <li>
          <Link to="/identity" search={{ tab: 'check' }} className={ROW}>
            <Action icon={<BadgeCheck />} title={t`Check a token`}>
              <Trans>Paste any one: it is put into words, and its chain checked.</Trans>
            </Action>
          </Link>
        </li>
        <li>
          <Link to="/payment" className={ROW}>
            <Action icon={<CreditCard />} title={t`Set a spending mandate`}>
              <Trans>Say who may be paid, how much, and until when.</Trans>
            </Action>
          </Link>
        </li>
      </ul>
    </Card>
  )
}

function Action({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <>
      <span className="shrink-0 [&_svg]:size-5" aria-hidden="true">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{title}</span>
        <span className="block text-ink-soft">{children}</span>
      </span>
      <ChevronRight className="size-4 shrink-0 text-ink-faint" aria-hidden />
    </>
  )
}
