import type { Contact } from '@keyhole/vault'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { nameWords, tailOf } from '../words/who.ts'
import { ContactPicture } from './contact-picture.tsx'
import { byName, findContacts } from './find-contacts.ts'
import { kindName } from './kind-words.ts'

/** How many are offered at a time. */
const MOST = 6
const NONE: readonly Contact[] = []

/** A contact, or one of its keys if a key is needed. */
interface Option {
  readonly contact: Contact
  readonly did: string | undefined
}

interface OptionsProps {
  contacts: readonly Contact[]
  /** Offered before anything is typed. Default: none. */
  offered?: readonly Contact[]
  /** The text typed so far. */
  text: string
  /** Offers each key of a contact separately, and no contacts without keys, because a key is chosen. */
  byKey?: boolean
  label: string
  onChoose: (contact: Contact, did: string | undefined) => void
  /** The input, which gets the props of a combo box. */
  children: (combobox: ComboboxProps) => ReactNode
}

/** The props that make the field a combo box (WAI-ARIA). */
export interface ComboboxProps {
  role: 'combobox'
  'aria-expanded': boolean
  'aria-controls': string
  'aria-autocomplete': 'list'
  'aria-activedescendant'?: string
}

/** A field that suggests contacts matching the text: arrow keys move through them, Enter takes one, Escape closes the list. */
export function ContactOptions({
  contacts,
  offered = NONE,
  text,
  byKey = false,
  label,
  onChoose,
  children,
}: OptionsProps) {
  const id = useId()
  const [active, setActive] = useState(-1)
  const [dismissed, setDismissed] = useState<string>()
  const sorted = useMemo(() => byName(contacts), [contacts])
  const options = useMemo(
    () => optionsOf(text.trim() === '' ? offered : findContacts(sorted, text), text, byKey),
    [sorted, offered, text, byKey],
  )
  const isShown = options.length > 0 && dismissed !== text
  const at = isShown ? Math.min(active, options.length - 1) : -1
  const choose = ({ contact, did }: Option) => {
    setActive(-1)
    onChoose(contact, did)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isShown || event.nativeEvent.isComposing) return
    const chosen = options[at]
    if (event.key === 'ArrowDown') setActive((at + 1) % options.length)
    else if (event.key === 'ArrowUp') setActive(at <= 0 ? options.length - 1 : at - 1)
    else if (event.key === 'Escape') setDismissed(text)
    else if (event.key === 'Enter' && chosen) choose(chosen)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are handled for the field inside
    <div className="flex min-w-0 flex-col gap-1" onKeyDown={onKeyDown}>
      {children({
        role: 'combobox',
        'aria-expanded': isShown,
        'aria-controls': id,
        'aria-autocomplete': 'list',
        ...(at >= 0 && { 'aria-activedescendant': `${id}-${at}` }),
      })}
      <ul
        id={id}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the list of a combo box
        role="listbox"
        aria-label={label}
        hidden={!isShown}
        className="rounded-control border border-line bg-surface p-1 shadow-card"
      >
        {(isShown ? options : []).map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <li
            key={`${option.contact.id} ${option.did}`}
            id={`${id}-${index}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of a combo box
            role="option"
            aria-selected={index === at}
            // The focus stays in the field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
            tabIndex={-1}
            className={cx(
              'flex min-h-11 cursor-pointer items-center gap-2 rounded-lg px-2 text-sm hover:bg-sunken',
              index === at && 'bg-sunken outline-2 outline-focus -outline-offset-2',
            )}
          >
            <OptionWords {...option} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function OptionWords({ contact: { id, name, kind, dids }, did }: Option) {
  return (
    <>
      <ContactPicture of={did ?? dids[0] ?? id} name={name} kind={kind} />
      <bdi className="min-w-0 truncate font-medium">{nameWords(name)}</bdi>
      <span className="min-w-0 truncate text-ink-faint text-xs">
        {did === undefined ? kindName(kind) : `${kindName(kind)} · ${tailOf(did)}`}
      </span>
    </>
  )
}

/** Suggests contacts that match. DIDs aren't completed: they are complete or wrong. */
function optionsOf(contacts: readonly Contact[], text: string, byKey: boolean): Option[] {
  if (/^did:/i.test(text.trim())) return []
  const found: Option[] = []
  for (const contact of contacts) {
    if (byKey) found.push(...contact.dids.map((did) => ({ contact, did })))
    else found.push({ contact, did: undefined })
    if (found.length >= MOST) break
  }
  return found.slice(0, MOST)
}
