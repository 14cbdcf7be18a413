import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { PageHeader } from '../../../shared/ui/layout/page-header.tsx'
import { LostAccount } from './lost-account.tsx'

/** A vault was here and its database is not: what is left of it, what is gone, and the ways back. */
export default function RecoveryScreen({ level = 1 }: { level?: 1 | 2 }) {
  const { t } = useLingui()
  const { lost } = useVaultSnapshot()
  const [restored, setRestored] = useState<string>()
  const isLate = lost.length > 0 && lost.every(({ noAnswer }) => noAnswer)
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-6">
      {level === 1 && isLate ? (
        <PageHeader title={lost.length === 1 ? t`Your vault doesn’t answer` : t`Your vaults don’t answer`}>
          <Trans>The browser’s database didn’t answer in time. That doesn’t mean your vault is lost.</Trans>
        </PageHeader>
      ) : level === 1 ? (
        <PageHeader title={lost.length === 1 ? t`Your vault is missing` : t`Your vaults are missing`}>
          <Trans>
            The browser’s database came back empty. Browsers do this when their files are damaged or cleared.
            Your vault may still be recovered.
          </Trans>
        </PageHeader>
      ) : null}
      {restored ? <Notice tone="good">{restored}</Notice> : null}
      {lost.map((account) => (
        <LostAccount key={account.address} account={account} onRestored={setRestored} />
      ))}
    </div>
  )
}
