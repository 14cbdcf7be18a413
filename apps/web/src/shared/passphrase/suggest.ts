/** Words in a suggested passphrase: 66 bits, because the list (BIP-39's, which has no offensive or look-alike words) has 2,048. */
const WORDS = 6

/** A new passphrase of random words. The list loads only when someone asks for one. */
export async function suggestPassphrase(): Promise<string> {
  const { default: text } = await import('./english-words.txt?raw')
  const list = text.trim().split('\n')
  // 65,536 is a multiple of 2,048, so every word is equally likely.
  const draws = crypto.getRandomValues(new Uint16Array(WORDS))
  return Array.from(draws, (draw) => list[draw % list.length]).join(' ')
}
