import { Trans } from '@lingui/react/macro'
import { isReachable, type ReplyAddress } from '../../../shared/requests/reply-address.ts'

/** Where the answer goes, shown before you give it. It's the same for yes and no. */
export function ReplyLine({ to }: { to: ReplyAddress }) {
  return (
    <p className="text-sm">
      <Where to={to} />
    </p>
  )
}

function Where({ to }: { to: ReplyAddress }) {
  if ('loopback' in to) {
    const host = <Host of={to.loopback} />
    return (
      <Trans>
        Your answer, yes or no, goes to a program on this computer ({host}). This window goes there.
      </Trans>
    )
  }
  if ('redirect' in to) {
    const host = <Host of={to.redirect} />
    return <Trans>Your answer, yes or no, goes to {host}. This window goes there.</Trans>
  }
  const host = <Host of={to.relay} />
  return isReachable(to) ? (
    <Trans>
      Your answer, yes or no, goes encrypted to a mailbox at {host}. Only the program that asked can read it.
    </Trans>
  ) : (
    <Trans>
      The answer is expected at {host}. Your vault only sends to its own relay, so you’ll get a text to hand
      over.
    </Trans>
  )
}

/** The whole origin, because trust depends on it. */
function Host({ of }: { of: string }) {
  return <strong className="wrap-anywhere font-mono">{new URL(of).origin}</strong>
}
