import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
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

/** The code of those who embed a vault, and of those who check what comes out of one. */
export function ForDevelopers() {
  const { t } = useLingui()
  return (
    <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
      <Half title={t`Embed the vault`} text={<Trans>In any page, in React, or in Node.</Trans>}>
        <CodeBlock label="@keyhole/vault" text={EMBED} breaks="nowhere" tall />
      </Half>
      <Half
        title={t`Check tokens in your service`}
        text={<Trans>No session, no account, and no call to anyone.</Trans>}
      >
        <CodeBlock label="@keyhole/enclave" text={VERIFY} breaks="nowhere" tall />
      </Half>
    </div>
  )
}

function Half({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <h3 className="font-semibold">{title}</h3>
      <p className="-mt-2 text-ink-soft">{text}</p>
      {children}
    </div>
  )
}
