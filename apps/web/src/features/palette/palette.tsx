import { useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { onApple } from '../../shared/browser/platform.ts'
import { forgetFinds } from './recent.ts'
import { forgetEarlyLetters, keepEarlyLetter } from './shortcuts/early-letters.ts'
import { KeyReader, placeOf } from './shortcuts/keys.ts'
import { lettersAreOn } from './shortcuts/letters.ts'
import { useShortcut } from './shortcuts/use-shortcut.ts'
import type { Shown } from './shown.ts'

const PaletteWindows = lazy(() => import('./palette-windows.tsx'))

interface PaletteProps {
  /** What unlocks the vault, given what closes the dialog that it is in. */
  unlockForm: (close: () => void) => ReactNode
}

/** The command palette's button and keys. What they open is fetched when it is first wanted. */
export function Palette({ unlockForm }: PaletteProps) {
  const { t } = useLingui()
  const [shown, setShown] = useState<Shown>()
  const [wanted, setWanted] = useState(false)
  if (shown !== undefined && !wanted) setWanted(true)
  const [reader] = useState(() => new KeyReader(onApple()))
  const perform = useShortcut(useCallback(() => setShown('unlock'), []))

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const place = placeOf(document.activeElement)
    if (shown === 'palette' && !place.dialog) {
      if (keepEarlyLetter(event)) event.preventDefault()
      return
    }
    const wish = reader.read(event, place, lettersAreOn())
    if (wish === undefined) return
    event.preventDefault()
    if (wish === 'palette') forgetEarlyLetters()
    if (wish === 'palette' || wish === 'list') setShown(wish)
    else perform(wish)
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  // Also when the account is left, of which no event tells.
  const { phase, address } = useVaultSnapshot()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was found goes with the state that it was found in
  useEffect(() => forgetFinds, [phase, address])

  const words = t`Find or do something`
  return (
    <>
      <button
        type="button"
        aria-label={words}
        title={words}
        aria-haspopup="dialog"
        aria-keyshortcuts={onApple() ? 'Meta+K' : 'Control+K'}
        onClick={() => setShown('palette')}
        className="grid size-9 shrink-0 place-items-center pointer-coarse:size-11 rounded-lg text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <Search className="size-4.5" aria-hidden />
      </button>
      {wanted ? (
        <Suspense fallback={null}>
          <PaletteWindows shown={shown} onShow={setShown} perform={perform} unlockForm={unlockForm} />
        </Suspense>
      ) : null}
    </>
  )
}
