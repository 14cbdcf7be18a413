import { t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { grantTo } from '../../shared/grant-form/draft.ts'
import { setDraft } from '../../shared/hooks/drafts.ts'
import { requestForm } from '../../shared/hooks/requested-forms.ts'
import { CHECK_DRAFT } from '../../shared/tokens/check-draft.ts'
import { buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import type { Recognised } from '../../shared/words/recognise.ts'

function title(kind: Recognised['kind']): string {
  switch (kind) {
    case 'token':
      return t`This is a token.`
    case 'did':
      return t`This is a DID.`
    case 'cid':
      return t`This is the CID of a token.`
    case 'address':
      return t`This is an address.`
    case 'words':
      return ''
  }
}

interface RecognitionProps {
  recognised: Recognised
  /** How many stored items contain it. Undefined while unknown. */
  found: number | undefined
}

/** Says what was pasted and links to the right place for it. */
export function Recognition({ recognised, found }: RecognitionProps) {
  const { t } = useLingui()
  const { kind, value } = recognised
  return (
    <Notice
      title={title(kind)}
      actions={
        kind === 'token' ? (
          <Link
            to="/identity"
            search={{ tab: 'check' }}
            onClick={() => setDraft(CHECK_DRAFT, value)}
            className={buttonClass('primary', 'small')}
          >
            <Trans>Check the token</Trans>
          </Link>
        ) : kind === 'did' ? (
          <Link
            to="/identity"
            search={{ tab: 'grants' }}
            onClick={() => {
              grantTo(value)
              requestForm('grant')
            }}
            className={buttonClass('quiet', 'small')}
          >
            <Trans>Grant it something</Trans>
          </Link>
        ) : null
      }
    >
      {found === undefined
        ? undefined
        : found > 0
          ? t`Enter opens the first match below.`
          : kind === 'token'
            ? t`It is not stored here. Enter checks it.`
            : t`Nothing stored here has to do with it.`}
    </Notice>
  )
}
