import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { SquareArrowOutUpRight } from 'lucide-react'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { NoVaultNotice } from '../engine/no-vault-notice.tsx'

/** The way to an app that asks the vault as any other would. It is a document of its own: this one cannot hear a window of the vault. */
export function AppPanel() {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card
        title={t`An app`}
        description={t`It shows recipes, which lie at a service of yours. It has a key of its own, and no password. It asks by @keyhole/connect, as any app on the web would; the vault’s own window opens, and your real vault decides there.`}
      >
        <div className="flex flex-col items-start gap-4">
          {phase === 'empty' ? (
            <NoVaultNotice>
              <Trans>The window opens all the same, and offers to make one.</Trans>
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
            <Trans>
              It opens in a tab of its own. The vault’s pages cut off every window that they open or are
              opened by, so an app cannot be one of them.
            </Trans>
          </p>
        </div>
      </Card>
      <Card
        title={t`What to try there`}
        description={t`What the app may do is decided by the code of @keyhole/verify, which runs in the app’s page: this site has no server of its own.`}
      >
        <ol className="flex list-decimal flex-col gap-2 pl-5 marker:text-ink-faint">
          <li>
            <Trans>Let it ask, and decline: the app is told that, and nothing of your vault.</Trans>
          </li>
          <li>
            <Trans>Let it ask again, and grant: all of it, or less.</Trans>
          </li>
          <li>
            <Trans>
              Let it read the recipes, which it may, and the letters, which it may not. A call that was let in
              is not let in twice.
            </Trans>
          </li>
          <li>
            <Trans>
              End its session under{' '}
              <Link to="/identity" search={{ tab: 'sessions' }} className="underline">
                Sessions
              </Link>
              , hand the revocation to the service, and let the app read the recipes once more.
            </Trans>
          </li>
        </ol>
      </Card>
    </div>
  )
}
