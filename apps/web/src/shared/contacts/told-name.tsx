import { cleanContactName } from '@keyhole/vault'
import { Trans } from '@lingui/react/macro'
import { useSyncExternalStore } from 'react'
import { quotable } from '../text/visible.ts'
import { Foreign } from '../ui/text/foreign.tsx'
import { comparedEnd } from '../words/who.ts'
import { latestAnswer, onAnswer } from './did-answer.ts'
import { useContacts } from './use-contacts.ts'

/** What someone calls themselves who answered with this DID, and how to make sure that it is theirs. Empty for keys that are known. */
export function ToldName({ did }: { did: string }) {
  const { named, own } = useContacts()
  const answer = useSyncExternalStore(onAnswer, latestAnswer, () => undefined)
  if (answer?.did !== did || named.has(did) || own.has(did)) return null
  const name = cleanContactName(answer.name)
  const tail = comparedEnd(did)
  return (
    <p className="text-ink-soft">
      {name === '' ? (
        <Trans>
          The answer gave no name. A link can be changed on its way: ask them whether their DID ends in{' '}
          <code>{tail}</code>.
        </Trans>
      ) : (
        <Trans>
          They call themselves “<Foreign>{quotable(name)}</Foreign>”. A link can be changed on its way: ask
          them whether their DID ends in <code>{tail}</code>.
        </Trans>
      )}
    </p>
  )
}
