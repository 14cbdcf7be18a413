import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../../../shared/ui/buttons/button.tsx'
import { Notice } from '../../../shared/ui/feedback/notice.tsx'

/** Shown next to demos that use the real vault, if there is none. @param children what its window can then do */
export function NoVaultNotice({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  return (
    <Notice
      tone="warn"
      title={t`There is no vault in this browser yet.`}
      actions={
        <Link to="/register" className={buttonClass()}>
          <Trans>Create vault</Trans>
        </Link>
      }
    >
      {children}
    </Notice>
  )
}
