import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useNow } from '../../shared/hooks/use-now.ts'
import { type ListedToken, useTokenPage } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Badge } from '../../shared/ui/feedback/badge.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { HandOver } from '../../shared/ui/sharing/hand-over.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { endWords } from '../../shared/words/when.ts'
import { shorten } from '../../shared/words/who.ts'
import { RequestSentence } from './request-sentence.tsx'

/** How many are shown at first, and how many more each time. */
const STEP = 20

const KINDS = { invocation: msg`request`, revocation: msg`revocation`, receipt: msg`receipt` } as const
/** What the button that shows its text says. */
const SHOWS = {
  invocation: msg`Show request`,
  revocation: msg`Show revocation`,
  receipt: msg`Show receipt`,
} as const
/** What the copy button calls it. */
const WHATS = {
  invocation: msg`the request`,
  revocation: msg`the revocation`,
  receipt: msg`the receipt`,
} as const

/** What the account signed apart from grants: requests, revocations and receipts. Empty if there are none. */
export function SignedList() {
  const { t } = useLingui()
  const [limit, setLimit] = useState(STEP)
  const { tokens, total, error } = useTokenPage({ list: 'signed', limit })
  if (total === 0 && error === undefined) return null
  return (
    <Card
      title={t`What you signed`}
      description={t`Requests stay until they expire. Revocations and receipts stay as long as the vault does.`}
    >
      <Failure error={error} />
      <ul className="flex flex-col divide-y divide-line" aria-label={t`What you signed`}>
        {tokens.map((token) => (
          <SignedItem key={token.id} signed={token} />
        ))}
      </ul>
      {tokens.length < total ? (
        <Button className="mt-4" size="small" onClick={() => setLimit(limit + STEP)}>
          <Trans>Show more</Trans>
        </Button>
      ) : null}
    </Card>
  )
}

function SignedItem({ signed }: { signed: ListedToken }) {
  const { i18n } = useLingui()
  const now = useNow()
  const id = useId()
  const [open, setOpen] = useState(false)
  const { type } = signed
  if (type !== 'invocation' && type !== 'revocation' && type !== 'receipt') return null
  const kind = i18n._(KINDS[type])
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-60">
          {signed.label ? <p className="wrap-anywhere font-semibold">{signed.label}</p> : null}
          <About signed={signed} />
          <p className="mt-1 flex flex-wrap items-center gap-2 text-ink-soft text-sm">
            <Badge>{kind}</Badge>
            <TimeText at={signed.createdAt} />
            {type === 'invocation' ? <span>{endWords(signed.expiresAt, now)}</span> : null}
          </p>
        </div>
        <Button
          size="small"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          {open ? <Trans>Hide</Trans> : i18n._(SHOWS[type])}
        </Button>
      </div>
      {open ? (
        <div id={id}>
          <HandOver text={signed.token} label={kind} what={i18n._(WHATS[type])} />
        </div>
      ) : null}
    </li>
  )
}

function About({ signed }: { signed: ListedToken }) {
  const { type, revokes = '', task = '' } = signed
  if (type === 'invocation') return <RequestSentence signed={signed} />
  if (type === 'revocation') {
    const cid = shorten(revokes, 8, 8)
    return (
      <p>
        <Trans>
          You revoked{' '}
          <Link
            to="/identity"
            search={{ tab: 'grants', token: revokes }}
            className="underline decoration-line-strong underline-offset-4"
          >
            {cid}
          </Link>
          .
        </Trans>
      </p>
    )
  }
  const of = shorten(task, 8, 8)
  return (
    <p>
      <Trans>
        You signed a receipt for <code title={task}>{of}</code>.
      </Trans>
    </p>
  )
}
