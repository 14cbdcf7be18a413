import { useEffect, useEffectEvent, useState } from 'react'
import { onAndroid } from '../../browser/platform.ts'

/** HTML, "Close watcher": not in every browser yet, so in no type either. */
interface Watching {
  CloseWatcher?: new () => EventTarget & { destroy(): void }
}

/**
 * Has the system's Back on Android close what is open, as it closes a sheet of any other app, and not leave the page beneath it.
 * Elsewhere a browser asks for the same by Escape, which the dialogs hear themselves: there it would be heard twice.
 */
export function useBack(open: boolean, close: () => void): void {
  const [turn, setTurn] = useState(0)
  const onBack = useEffectEvent(() => {
    close()
    // A watcher closes once. What stays open all the same gets another one.
    setTurn(turn + 1)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each turn comes a new watcher
  useEffect(() => {
    const { CloseWatcher } = globalThis as Watching
    if (!open || !onAndroid() || !CloseWatcher) return
    const watcher = new CloseWatcher()
    watcher.addEventListener('close', onBack)
    return () => watcher.destroy()
  }, [open, turn])
}
