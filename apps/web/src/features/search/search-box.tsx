import { Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useState } from 'react'
import { mayTakeFocus } from '../../shared/browser/may-take-focus.ts'
import { TextField } from '../../shared/ui/fields/text-field.tsx'

interface SearchBoxProps {
  value: string
  onValueChange: (value: string) => void
  count: number
  active: number
  activeId: string | undefined
  onActiveChange: (index: number) => void
  onOpen: () => void
}

/** The search box: arrows move through the results, Enter opens the marked one, Escape clears the box. */
export function SearchBox({
  value,
  onValueChange,
  count,
  active,
  activeId,
  onActiveChange,
  onOpen,
}: SearchBoxProps) {
  const { t } = useLingui()
  const [takesFocus] = useState(mayTakeFocus)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 8,
      PageUp: active - 8,
    }
    const move = moves[event.key]
    if (move !== undefined && count > 0) {
      event.preventDefault()
      onActiveChange(Math.max(0, Math.min(count - 1, move)))
    } else if (event.key === 'Enter' && value !== '') {
      event.preventDefault()
      onOpen()
    } else if (event.key === 'Escape' && value !== '') {
      event.preventDefault()
      onValueChange('')
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys from the input inside
    <div onKeyDown={onKeyDown}>
      <TextField
        label={t`Search the vault`}
        type="search"
        spellCheck={false}
        autoCapitalize="none"
        autoCorrect="off"
        placeholder={t`Name, command, DID or token`}
        value={value}
        onValueChange={onValueChange}
        autoFocus={takesFocus}
        aside={
          <span className="hidden text-ink-faint text-xs sm:inline">
            <Trans>↑ ↓ to choose, Enter to open</Trans>
          </span>
        }
        role="combobox"
        aria-expanded={count > 0}
        aria-controls={count > 0 ? 'search-results' : undefined}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
      />
    </div>
  )
}
