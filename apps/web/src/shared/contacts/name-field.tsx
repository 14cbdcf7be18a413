import type { Contact } from '@keyhole/vault'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Notice } from '../ui/feedback/notice.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { nameWords, tailOf } from '../words/who.ts'
import type { ContactIndex } from './contact-index.ts'
import { nameProblem } from './name-problem.ts'

interface NameFieldProps {
  index: ContactIndex | undefined
  value: string
  onValueChange: (value: string) => void
  /** The contact being named. Undefined for a new one. */
  id?: string
  /** Whether an empty field is an error too: once the person has tried to save. */
  strict: boolean
  /** What to offer for a contact whose name looks alike. */
  actions?: (other: Contact) => ReactNode
}

/** The name of a contact, with a warning if it can be confused with another. */
export function NameField({ index, value, onValueChange, id, strict, actions }: NameFieldProps) {
  const { t } = useLingui()
  const problem = strict || value.trim() !== '' ? nameProblem(index, value, id) : undefined
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <TextField
        label={t`Name`}
        hint={t`Only you see it. It’s encrypted, like your keys.`}
        value={value}
        onValueChange={onValueChange}
        error={problem}
        autoFocus
      />
      {problem === undefined && value.trim() !== '' ? (
        <Alike index={index} name={value} id={id} actions={actions} />
      ) : null}
    </div>
  )
}

interface AlikeProps {
  index: ContactIndex | undefined
  name: string
  id: string | undefined
  actions: NameFieldProps['actions']
}

function Alike({ index, name, id, actions }: AlikeProps) {
  const alike = index?.alike(name, id)
  const [other] = alike?.contacts ?? []
  if (other) {
    const [did] = other.dids
    const otherName = did === undefined ? nameWords(other.name) : `${nameWords(other.name)} (${tailOf(did)})`
    return (
      <Notice tone="warn" actions={actions?.(other)}>
        <Trans>
          You have a contact that looks like this: <bdi>{otherName}</bdi>. If you use the name twice, Keyhole
          always shows the end of the key beside it.
        </Trans>
      </Notice>
    )
  }
  if (!alike?.isOurs) return null
  return (
    <Notice tone="warn">
      <Trans>One of your own keys, or your vault, has this name. Another one is easier to tell apart.</Trans>
    </Notice>
  )
}
