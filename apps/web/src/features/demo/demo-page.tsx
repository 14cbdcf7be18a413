import { useVault } from '@keyhole/vault-react'
import { useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Progress } from '../../components/progress.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Failure } from '../common/failure.tsx'
import { AttackList } from './attack-list.tsx'
import { FunctionPanel } from './function-panel.tsx'
import { makeSandbox, type Sandbox } from './sandbox.ts'
import type { DemoSearch } from './search.ts'

interface DemoPageProps {
  search: DemoSearch
  onSearchChange: (search: DemoSearch) => void
}

type Made = { state: 'making' } | { state: 'made'; sandbox: Sandbox } | { state: 'failed'; error: unknown }

/** Each function of the plugin, live on a throw-away vault, and attacks to try on it. */
export function DemoPage({ search, onSearchChange }: DemoPageProps) {
  const { config } = useVault()
  const [made, setMade] = useState<Made>({ state: 'making' })
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a new vault
  useEffect(() => {
    let current = true
    setMade({ state: 'making' })
    const making = makeSandbox(config)
    making.then(
      (sandbox) => current && setMade({ state: 'made', sandbox }),
      (error: unknown) => current && setMade({ state: 'failed', error }),
    )
    return () => {
      current = false
      making.then(
        ({ vault }) => vault.cleanup(),
        () => undefined,
      )
    }
  }, [round])

  return (
    <>
      <PageHeader
        title="Demo"
        actions={
          <Button size="small" onClick={() => setRound(round + 1)} disabled={made.state === 'making'}>
            Start over with a new vault
          </Button>
        }
      >
        A throw-away vault, in an enclave of its own. Nothing here is stored, and nothing touches a real
        account.
      </PageHeader>
      {made.state === 'making' ? (
        <Card>
          <Progress label="Making a vault, two keys and a token to play with…" value={null} />
        </Card>
      ) : null}
      {made.state === 'failed' ? <Failure error={made.error} /> : null}
      {made.state === 'made' ? (
        <Tabs
          label="Demo"
          value={search.tab ?? 'functions'}
          onValueChange={(tab) => onSearchChange({ tab })}
          tabs={[
            {
              value: 'functions',
              label: 'Functions',
              panel: () => (
                <FunctionPanel
                  sandbox={made.sandbox}
                  name={search.fn ?? 'new_origin_token'}
                  onNameChange={(fn) => onSearchChange({ tab: 'functions', fn })}
                />
              ),
            },
            { value: 'attacks', label: 'Attacks', panel: () => <AttackList sandbox={made.sandbox} /> },
          ]}
        />
      ) : null}
    </>
  )
}
