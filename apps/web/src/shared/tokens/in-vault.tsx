import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/buttons/button-class.ts'
import { Notice, type NoticeTone } from '../ui/feedback/notice.tsx'

interface InVaultProps {
  cid: string
  title: ReactNode
  tone?: NoticeTone
  /** The link to it was followed. */
  onSeen?: () => void
  children?: ReactNode
}

/** Says that a token is in the vault, with a link to it. */
export function InVault({ cid, title, tone = 'plain', onSeen, children }: InVaultProps) {
  return (
    <Notice
      tone={tone}
      title={title}
      actions={
        <Link
          to="/identity"
          search={{ tab: 'received', token: cid }}
          onClick={onSeen}
          className={buttonClass('quiet', 'small')}
        >
          <Trans>See it</Trans>
        </Link>
      }
    >
      {children}
    </Notice>
  )
}
