/** Whether what was typed is the phrase. A phone's keyboard begins with a capital and ends with a blank, which is nobody's decision. */
export function isTyped(typed: string, phrase: string): boolean {
  return typed.trim().toLowerCase() === phrase.trim().toLowerCase()
}
