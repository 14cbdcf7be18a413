/** Whether shortcuts use Command here, not Control. */
export function onApple(agent: string = globalThis.navigator?.userAgent ?? ''): boolean {
  return /Mac|iPhone|iPad/.test(agent)
}

/** Whether this is Android, which has its own Back button. */
export function onAndroid(): boolean {
  return /Android/.test(navigator.userAgent)
}

/** Whether a key event is a shortcut: Command on Apple devices, Control on all others, and no other modifier. */
export function isMod(event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
  if (event.altKey) return false
  return onApple() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
}

/** Whether the person is typing into a field. Then letters aren't shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  return (
    target instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'button', 'file', 'range'].includes(target.type)
  )
}
