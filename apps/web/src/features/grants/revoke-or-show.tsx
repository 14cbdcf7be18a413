import { useLingui } from '@lingui/react/macro'
import { RevokeButton } from '../../shared/grant-actions/revoke-button.tsx'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'

interface RevokeOrShowProps {
  /** The grant alone. The same array while it is the same grant. */
  grants: readonly ListedToken[]
  revoked: boolean
  /** Whether the revocation is shown. */
  isShown: boolean
  onShow: (isShown: boolean) => void
  /** Where the focus goes once it is revoked; absent where the button stays. */
  leadsTo?: (() => HTMLElement | null) | undefined
}

/** Revokes a grant, and then shows or hides the revocation. One button for both, so that the focus stays on it when the dialog has done its work. */
export function RevokeOrShow({ grants, revoked, isShown, onShow, leadsTo }: RevokeOrShowProps) {
  const { t } = useLingui()
  return (
    <RevokeButton
      grants={grants}
      onRevoked={() => onShow(true)}
      {...(leadsTo && { leadsTo })}
      instead={
        revoked
          ? {
              label: isShown ? t`Hide the revocation` : t`Show the revocation`,
              expanded: isShown,
              press: () => onShow(!isShown),
            }
          : undefined
      }
    />
  )
}
