import type { StoredToken } from '@keyhole/vault'
import { Trans } from '@lingui/react/macro'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { cx } from '../../shared/ui/cx.ts'
import { commandWords } from '../../shared/words/command.ts'
import { signedWho } from '../../shared/words/who.ts'

/** A signed request as a sentence: what it asks, and of whom. */
export function RequestSentence({ signed, className }: { signed: StoredToken; className?: string }) {
  const contacts = useContacts()
  const whom = signedWho(signed.audienceDid ?? signed.audience, contacts)
  const what = commandWords(signed.command)
  return (
    <p className={cx('wrap-anywhere', className)}>
      <Trans>
        You ask{' '}
        <strong title={signed.audienceDid} dir="auto">
          {whom}
        </strong>{' '}
        to let you <strong>{what}</strong>.
      </Trans>
    </p>
  )
}
