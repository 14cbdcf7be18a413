import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { RotateCcw } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'
import { Tabs } from '../../shared/ui/layout/tabs.tsx'
import { engineOptions } from './engine/engine-options.ts'
import { Sandbox } from './engine/sandbox.ts'
import { FunctionPanel } from './functions/function-panel.tsx'
import type { DemoSearch } from './search-params.ts'

const AttackList = lazy(() => import('./attacks/attack-list.tsx').then((m) => ({ default: m.AttackList })))
const AppPanel = lazy(() => import('./app/app-panel.tsx').then((m) => ({ default: m.AppPanel })))
const ShopPanel = lazy(() => import('./shop/shop-panel.tsx').then((m) => ({ default: m.ShopPanel })))
const BenchmarkPanel = lazy(() =>
  import('./benchmark/benchmark-panel.tsx').then((m) => ({ default: m.BenchmarkPanel })),
)

interface DemoPageProps {
  search: DemoSearch
  onSearchChange: (search: DemoSearch) => void
}

type Made = { state: 'making' } | { state: 'made'; sandbox: Sandbox } | { state: 'failed'; error: unknown }

/** The plugin's functions on a throw-away vault, attacks to try on it, and how fast this browser is. */
export function DemoPage({ search, onSearchChange }: DemoPageProps) {
  const { t } = useLingui()
  const { config } = useVault()
  const [made, setMade] = useState<Made>({ state: 'making' })
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round needs a new vault
  useEffect(() => {
    let current = true
    setMade({ state: 'making' })
    const making = Sandbox.make(engineOptions(config))
    making.then(
      (sandbox) => current && setMade({ state: 'made', sandbox }),
      (error: unknown) => current && setMade({ state: 'failed', error }),
    )
    return () => {
      current = false
      making.then(
        ({ enclave }) => enclave.close(),
        () => undefined,
      )
    }
  }, [round])

  const waiting = (
    <Card>
      <Progress label={t`Creating a vault, two keys and a token to play with…`} value={null} />
    </Card>
  )
  return (
    <>
      <PageHeader
        title={t`Demo`}
        actions={
          <Button
            size="small"
            onClick={() => setRound(round + 1)}
            disabled={made.state === 'making'}
            icon={<RotateCcw className="size-4" aria-hidden />}
          >
            <Trans>Start over with a new vault</Trans>
          </Button>
        }
      >
        <Trans>
          A throw-away vault in a separate enclave. Nothing is saved. Only the app and the shop ask your own
          vault.
        </Trans>
      </PageHeader>
      <Story />
      <Failure error={made.state === 'failed' ? made.error : undefined} />
      <Tabs
        label={t`Demo`}
        value={search.tab ?? 'functions'}
        onValueChange={(tab) => onSearchChange({ tab })}
        tabs={[
          {
            value: 'functions',
            label: t`Functions`,
            panel: () =>
              made.state === 'made' ? (
                <FunctionPanel
                  key={round}
                  sandbox={made.sandbox}
                  name={search.fn}
                  onNameChange={(fn) => onSearchChange({ tab: 'functions', fn })}
                />
              ) : made.state === 'making' ? (
                waiting
              ) : null,
          },
          {
            value: 'attacks',
            label: t`Attacks`,
            panel: () =>
              made.state === 'made' ? (
                <Suspense fallback={waiting}>
                  <AttackList key={round} sandbox={made.sandbox} />
                </Suspense>
              ) : made.state === 'making' ? (
                waiting
              ) : null,
          },
          {
            value: 'app',
            label: t`App`,
            panel: () => (
              <Suspense fallback={null}>
                <AppPanel />
              </Suspense>
            ),
          },
          {
            value: 'shop',
            label: t`Shop`,
            panel: () =>
              made.state === 'made' ? (
                <Suspense fallback={waiting}>
                  <ShopPanel key={round} sandbox={made.sandbox} />
                </Suspense>
              ) : made.state === 'making' ? (
                waiting
              ) : null,
          },
          {
            value: 'benchmark',
            label: t`Speed`,
            panel: () => (
              <Suspense fallback={null}>
                <BenchmarkPanel />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  )
}

/** Explains the demo to someone new. */
function Story() {
  const { t } = useLingui()
  const parts: readonly [string, string][] = [
    [t`The owner`, t`has a vault with a key in it. The key never leaves the vault.`],
    [t`The helper`, t`has a token to do anything with messages to example.com, for one hour.`],
    [t`Anyone`, t`can check that token offline, and no one can get more from it than it says.`],
  ]
  return (
    <ol className="grid gap-3 sm:grid-cols-3">
      {parts.map(([who, what], index) => (
        <li key={who} className="flex gap-3 border-line border-t pt-4">
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-sunken font-semibold text-sm"
          >
            {index + 1}
          </span>
          <p className="text-ink-soft text-sm">
            <strong className="block text-ink">{who}</strong>
            {what}
          </p>
        </li>
      ))}
    </ol>
  )
}
