import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../shared/ui/buttons/button.tsx'
import { TextField } from '../../../shared/ui/fields/text-field.tsx'
import { EmptyState } from '../../../shared/ui/layout/empty-state.tsx'
import { PageHeader } from '../../../shared/ui/layout/page-header.tsx'
import { findSettings } from './find-settings.ts'
import { SECTION_IDS, type SectionId } from './section.ts'
import { SectionItem } from './section-item.tsx'
import { SECTIONS } from './sections.ts'

interface SettingsPageProps {
  /** The section that is open; none: all are shut. */
  open: SectionId | undefined
  /** Opens another one, or shuts all. */
  onOpenChange: (open: SectionId | 'settings') => void
}

/** Everything that can be set, on one page that can be searched: each section opens where it is. */
export function SettingsPage({ open, onOpenChange }: SettingsPageProps) {
  const { t, i18n } = useLingui()
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  /** The section that was opened by hand: the reader is there. */
  const pressed = useRef<SectionId>(undefined)
  const isNew = useRef(true)

  useEffect(() => {
    const isFirst = isNew.current
    isNew.current = false
    const row = open === undefined ? undefined : list.current?.querySelector<HTMLElement>(`#${open}`)
    // The first section is where the page begins anyway.
    if (!row || (isFirst && open === SECTION_IDS[0])) return
    const byHand = pressed.current === open
    pressed.current = undefined
    // After the router, which moves a new page to its top.
    const frame = requestAnimationFrame(() => {
      row.scrollIntoView({ block: byHand ? 'nearest' : 'start' })
      if (!byHand && !isFirst) row.querySelector('button')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [open])

  const all = SECTION_IDS.map((id) => {
    const { title, about, settings } = SECTIONS[id]
    return { id, title: i18n._(title), about: i18n._(about), settings: settings.map((each) => i18n._(each)) }
  })
  const found = findSettings(all, text)
  const isFinding = text.trim() !== ''
  const press = (id: SectionId) => {
    pressed.current = id
    onOpenChange(open === id ? 'settings' : id)
  }
  return (
    <>
      <PageHeader title={t`Settings`}>
        <Trans>Your account, how your vault unlocks, and how you keep it safe.</Trans>
      </PageHeader>
      <search className="max-w-md">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const [first] = found
            if (!isFinding || first === undefined) return
            onOpenChange(first.id)
          }}
        >
          <TextField
            label={t`Find a setting`}
            type="search"
            placeholder={t`Passphrase, backup, language…`}
            value={text}
            onValueChange={setText}
          />
        </form>
      </search>
      <p role="status" className="sr-only">
        {isFinding ? <Plural value={found.length} one="# section found" other="# sections found" /> : null}
      </p>
      {found.length === 0 ? (
        <EmptyState
          title={t`No setting found`}
          actions={
            <Button size="small" onClick={() => setText('')} icon={<Search className="size-4" aria-hidden />}>
              <Trans>Show all settings</Trans>
            </Button>
          }
        >
          <Trans>Try another word, such as “passphrase” or “backup”.</Trans>
        </EmptyState>
      ) : (
        <ul ref={list} aria-label={t`Settings`} className="flex flex-col border-line border-b">
          {all.map(({ id, title, about }) => {
            const hit = found.find((each) => each.id === id)
            // What is being filled in stays, whatever is searched for.
            if (hit === undefined && id !== open) return null
            return (
              <SectionItem
                key={id}
                id={id}
                title={title}
                about={hit && hit.settings.length > 0 ? hit.settings.join(' · ') : about}
                open={id === open}
                onPress={() => press(id)}
              />
            )
          })}
        </ul>
      )}
    </>
  )
}
