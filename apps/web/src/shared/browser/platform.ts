/** Whether the key of shortcuts is Command here, not Control. */
export function onApple(agent: string = globalThis.navigator?.userAgent ?? ''): boolean {
  return /Mac|iPhone|iPad/.test(agent)
}

/** Whether this is Android, which has a Back of its own. */
export function onAndroid(): boolean {
  return /Android/.test(navigator.userAgent)
}

/** Whether a key event is a shortcut's: Command on Apple's machines, Control on all others, and nothing else held. */
export function isMod(event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
  if (event.altKey) return false
  return onApple() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
}

/** Whether what is typed now goes into a text: then letters are letters, and no shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  return (
    target instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'button', 'file', 'range'].includes(target.type)
  )
}
