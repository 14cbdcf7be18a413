import { useVault } from '@keyhole/vault-react'
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import type { Ref } from 'react'
import { download } from '../../shared/browser/download.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'

interface RevocationsDoneProps {
  ref: Ref<HTMLDivElement>
  /** The CIDs of what was just revoked; not empty. */
  cids: readonly string[]
}

/** What is left to do once several grants are revoked: handing all their revocations over in one step. */
export function RevocationsDone({ ref, cids }: RevocationsDoneProps) {
  const { t } = useLingui()
  const vault = useVault()
  const { data, failed } = useVaultQuery('revocations', () => vault.tokens.revocations())
  const tokens = data?.flatMap(({ revokes, token }) =>
    revokes !== undefined && cids.includes(revokes) ? [token] : [],
  )
  const text = tokens?.join('\n')
  const count = cids.length
  return (
    <div ref={ref} tabIndex={-1} className="rounded-card">
      <Notice
        title={plural(count, { one: '# grant revoked', other: '# grants revoked' })}
        actions={
          text ? (
            <>
              <CopyButton text={text} what={t`all revocations`} label={t`Copy all revocations`} />
              <Button
                size="small"
                icon={<Download className="size-4" aria-hidden />}
                onClick={() => download('keyhole-revocations.txt', text, 'text/plain')}
              >
                {t`Save as a file`}
              </Button>
            </>
          ) : null
        }
      >
        <p>{t`Now give the revocations to each service where the grants could be used. Each line is one revocation.`}</p>
        <Failure error={failed} />
      </Notice>
    </div>
  )
}
