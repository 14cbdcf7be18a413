import type { StoredToken } from '@keyhole/vault'
import { Trans } from '@lingui/react/macro'
import { cx } from '../../shared/ui/cx.ts'
import { commandWords } from '../../shared/words/command.ts'
import { useContacts } from '../../shared/words/use-contacts.ts'
import { who } from '../../shared/words/who.ts'

/** What a signed request asks of whom, as a sentence. */
export function RequestSentence({ signed, className }: { signed: StoredToken; className?: string }) {
  const contacts = useContacts()
  const whom = who(signed.audienceDid ?? signed.audience, contacts)
  const what = commandWords(signed.command)
  return (
    <p className={cx('wrap-anywhere', className)}>
      <Trans>
        You ask <strong title={signed.audienceDid}>{whom}</strong> to let you{' '}
        <strong className="text-brass">{what}</strong>.
      </Trans>
    </p>
  )
}
