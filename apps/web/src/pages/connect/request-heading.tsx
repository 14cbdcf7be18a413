import { Trans, useLingui } from '@lingui/react/macro'
import { Asker } from '../../shared/asker/asker.tsx'
import type { ConnectRequest } from '../../shared/requests/request.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { PageHeader } from '../../shared/ui/layout/page-header.tsx'

interface RequestHeadingProps {
  kind: ConnectRequest['kind']
  /** As the browser reports it. Undefined if unknown. */
  origin: string | undefined
}

/** Says what kind of thing is asked for, and who asks. */
export function RequestHeading({ kind, origin }: RequestHeadingProps) {
  const { t } = useLingui()
  const isApp = origin !== undefined
  const title =
    kind === 'payment'
      ? isApp
        ? t`An app is asking you to approve a payment`
        : t`Someone is asking you to approve a payment`
      : isApp
        ? t`An app is asking you for access`
        : t`Someone is asking you for access`
  return (
    <>
      <PageHeader title={title} />
      {isApp ? <Asker origin={origin} /> : <Unknown kind={kind} />}
    </>
  )
}

/** A request that came as a text. Who asks for a payment has signed it, but not who sent it. */
function Unknown({ kind }: Pick<RequestHeadingProps, 'kind'>) {
  const { t } = useLingui()
  return kind === 'payment' ? (
    <Notice tone="warn" title={t`We can’t tell who sent this.`}>
      <Trans>
        It came as a text or link, which anyone can pass on. Continue only if you expect this payment.
      </Trans>
    </Notice>
  ) : (
    <Notice tone="warn" title={t`We can’t tell who sent this.`}>
      <Trans>
        This came as a text or link, which anyone can write. Continue only if you know where it came from. The
        grant works only for the key below.
      </Trans>
    </Notice>
  )
}
