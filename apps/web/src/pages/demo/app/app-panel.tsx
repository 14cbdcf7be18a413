import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { SquareArrowOutUpRight } from 'lucide-react'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { NoVaultNotice } from '../engine/no-vault-notice.tsx'

/**
 * Opens an app that asks the vault as any other would. It is a separate document, because this one can't receive messages from a vault
 * window.
 */
export function AppPanel() {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card
        title={t`An app`}
        description={t`It shows your recipes from a service, with its own key and no password. It asks through @keyhole/connect, and you decide in your vault.`}
      >
        <div className="flex flex-col items-start gap-4">
          {phase === 'empty' ? (
            <NoVaultNotice>
              <Trans>You can open the app anyway. It will offer to create one.</Trans>
            </NoVaultNotice>
          ) : null}
          <a
            href="/demo-app"
            target="_blank"
            rel="noopener"
            className={buttonClass('primary')}
            aria-describedby="app-opens"
          >
            <Trans>Open the app</Trans>
            <SquareArrowOutUpRight className="size-4" aria-hidden />
          </a>
          <p id="app-opens" className="text-ink-soft text-sm">
            <Trans>Keyhole isolates its pages, so the app needs its own tab.</Trans>
          </p>
        </div>
      </Card>
      <Card
        title={t`What to try there`}
        description={t`The code of @keyhole/verify decides what the app may do. It runs in the app’s page, because this demo has no server.`}
      >
        <ol className="flex list-decimal flex-col gap-2 pl-5 marker:text-ink-faint">
          <li>
            <Trans>Decline its first request. It learns only that you declined.</Trans>
          </li>
          <li>
            <Trans>Let it ask again, and grant everything it asks for, or less.</Trans>
          </li>
          <li>
            <Trans>
              Let it read the recipes, which it may, and the letters, which it may not. The same call isn’t
              accepted twice.
            </Trans>
          </li>
          <li>
            <Trans>
              End its session under{' '}
              <Link to="/identity" search={{ tab: 'sessions' }} className="underline">
                Apps and tabs
              </Link>{' '}
              and hand the revocation to the service. Then let the app read the recipes once more.
            </Trans>
          </li>
        </ol>
      </Card>
    </div>
  )
}
