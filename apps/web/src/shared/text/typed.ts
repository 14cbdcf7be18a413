/** Whether the typed text is the phrase. A phone's keyboard adds a capital and a trailing space that no one chose. */
export function isTyped(typed: string, phrase: string): boolean {
  return typed.trim().toLowerCase() === phrase.trim().toLowerCase()
}
