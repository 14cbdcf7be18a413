import { useVaultSnapshot } from '@keyhole/vault-react'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../../shared/ui/buttons/button-class.ts'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'
import { SaveCopy } from './save-copy.tsx'

/** Above every page of an account that is open from its second copy: what that means, and the ways out. */
export default function FromCopy() {
  const { address } = useVaultSnapshot()
  if (address === undefined) return null
  return (
    <Notice
      tone="warn"
      className="mb-6"
      title={<Trans>This vault is open from its second copy.</Trans>}
      actions={
        <Link to="/identity" search={{ tab: 'backup' }} className={buttonClass('quiet', 'small')}>
          <Trans>Create a backup</Trans>
        </Link>
      }
    >
      <Trans>
        Your browser can’t open its database. So you can read what is here, but change nothing. Create a
        backup and restore it in another browser.
      </Trans>
      <SaveCopy address={address} />
    </Notice>
  )
}
