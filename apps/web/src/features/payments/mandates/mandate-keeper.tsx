import type { Mandate } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'

/** Where a mandate is counted, if not here. Nothing for one that is counted here, or that has ended. */
export function MandateKeeper({ mandate: { keeper, ended } }: { mandate: Mandate }) {
  const { t } = useLingui()
  if (keeper === undefined || ended) return null
  const device = keeper.name ?? t`another device`
  return (
    <Notice className="basis-full" title={t`Counted on ${device}`}>
      <Trans>
        That device authorises the payments and reports what’s left. If you lost it, end this mandate and
        create a new one here.
      </Trans>
    </Notice>
  )
}
