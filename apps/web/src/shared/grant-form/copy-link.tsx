import { useLingui } from '@lingui/react/macro'
import { CopyButton } from '../ui/buttons/copy-button.tsx'
import { type LinkedGrant, useGrantLink } from './use-grant-link.ts'

/** Copies a grant's link, or the token itself where it is too long for one. */
export function CopyLink({ grant }: { grant: LinkedGrant }) {
  const { t } = useLingui()
  const { link, taken } = useGrantLink(grant)
  return link === undefined ? (
    <CopyButton text={grant.token} what={t`the token`} label={t`Copy the token`} />
  ) : (
    <CopyButton text={link} what={t`the link`} label={t`Copy the link`} onTaken={taken} />
  )
}
