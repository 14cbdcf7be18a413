import { t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { grantTo } from '../../shared/grant-form/draft.ts'
import { setDraft } from '../../shared/hooks/drafts.ts'
import { requestForm } from '../../shared/hooks/requested-forms.ts'
import { readRequestText } from '../../shared/requests/request-text.ts'
import { CHECK_DRAFT } from '../../shared/tokens/check-draft.ts'
import { buttonClass } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { isOpened, type Recognised } from '../../shared/words/recognise.ts'

function title({ kind, value }: Recognised): string {
  switch (kind) {
    case 'token':
      return t`This is a token.`
    case 'did':
      return t`This is a DID.`
    case 'cid':
      return t`This is the CID of a token.`
    case 'address':
      return t`This is an address.`
    case 'request':
      return requestTitle(value)
    case 'words':
      return ''
  }
}

function requestTitle(text: string): string {
  const read = readRequestText(text)
  if ('refusal' in read) return t`This is a request that can’t be answered.`
  return read.request.kind === 'payment'
    ? t`This is a request for a payment.`
    : t`This is a request for a grant.`
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
      title={title(recognised)}
      actions={
        isOpened(recognised) ? (
          <Link
            to="/identity"
            search={{ tab: 'check' }}
            onClick={() => setDraft(CHECK_DRAFT, value)}
            className={buttonClass('primary', 'small')}
          >
            {kind === 'token' ? <Trans>Check the token</Trans> : <Trans>Open the request</Trans>}
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
            <Trans>New grant for this DID</Trans>
          </Link>
        ) : null
      }
    >
      {kind === 'request'
        ? t`Enter opens it.`
        : found === undefined
          ? undefined
          : found > 0
            ? t`Enter opens the first match below.`
            : kind === 'token'
              ? t`It is not stored here. Enter checks it.`
              : t`Nothing stored here has to do with it.`}
    </Notice>
  )
}
