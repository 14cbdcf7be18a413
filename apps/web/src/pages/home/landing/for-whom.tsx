import { Trans, useLingui } from '@lingui/react/macro'
import { Bot, CreditCard, Folder } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { CodeBlock } from '../../../shared/ui/text/code-block.tsx'

const EMBED = `import { KeyVault } from '@keyhole/vault'

const vault = new KeyVault()
await vault.initialize()
await vault.create({ passphrase, label: 'Alice' })
const grant = await vault.tokens.grant({
  audience_did,
  command: '/msg/send',
  policy: [['<', '.size', 1000]],
})`

const VERIFY = `import { createEnclave } from '@keyhole/enclave'

const enclave = await createEnclave({ keyless: true })
const verdict = await enclave.call(
  'validate_invocation',
  { invocation, audience },
)`

/** What people, developers and services get of it, with the code that the last two write. */
export function ForWhom() {
  const { t } = useLingui()
  const uses: readonly (readonly [icon: ReactNode, words: string])[] = [
    [<Folder key="folder" />, t`A photo app reads one folder.`],
    [<Bot key="agent" />, t`An agent writes to one domain.`],
    [<CreditCard key="payment" />, t`A service is paid within a limit.`],
  ]
  return (
    <div className="grid items-stretch gap-4 lg:grid-cols-2">
      <Card title={t`For people`} level={3} className="lg:col-span-2">
        <ul className="grid gap-3 font-medium sm:grid-cols-3 sm:gap-6">
          {uses.map(([icon, words]) => (
            <li key={words} className="flex items-center gap-3">
              <span className="shrink-0 text-brass [&_svg]:size-5" aria-hidden="true">
                {icon}
              </span>
              {words}
            </li>
          ))}
        </ul>
        <p className="mt-4 text-ink-soft text-sm">
          <Trans>
            Each is a sentence that you read before you sign it. You see what is out there and when it ends,
            and revoke what is no longer needed.
          </Trans>
        </p>
      </Card>
      <Card title={t`For developers`} level={3}>
        <div className="flex flex-col gap-3 text-ink-soft text-sm">
          <p>
            <Trans>Embed the vault: in any page, in React, or in Node.</Trans>
          </p>
          <CodeBlock label="@keyhole/vault" text={EMBED} tall />
        </div>
      </Card>
      <Card title={t`For services and agents`} level={3}>
        <div className="flex flex-col gap-3 text-ink-soft text-sm">
          <p>
            <Trans>
              Verify offline: tokens are UCAN 1.0.0, an open specification. No session, no account, no call to
              anybody.
            </Trans>
          </p>
          <CodeBlock label="@keyhole/enclave" text={VERIFY} tall />
        </div>
      </Card>
    </div>
  )
}
