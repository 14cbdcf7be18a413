/** What a text looks like. Two texts can be confused if they have one of these in common. Empty for a blank text. */
export type Looks = (text: string) => readonly string[]

// Letters that many fonts draw alike in lower case.
const SAME: Readonly<Record<string, string>> = { i: 'l', '|': 'l', '1': 'l', '0': 'o', '5': 's', '8': 'b' }
/** Two letters that together look like another one. */
const JOINED = /rn|vv|cl/g
const AS_ONE: Readonly<Record<string, string>> = { rn: 'm', vv: 'w', cl: 'd' }

const UNSEEN = /[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu
const LETTER = /[\p{L}\p{N}]/u

const bare = (text: string) => text.normalize('NFKD').replace(UNSEEN, '')

/** Lower-case letters for comparison, with pairs replaced by the letter they look like. */
function folded(letters: string): string {
  const joined = letters.replace(JOINED, (pair) => AS_ONE[pair] ?? pair)
  return joined.replace(/[i|1058]/g, (letter) => SAME[letter] ?? letter)
}

/**
 * Loads Unicode's confusables (UTS 39). Beyond their skeletons, case, accents, spaces and punctuation make no difference. It is better to
 * match too many texts than too few, because the result is only a warning.
 */
export async function loadLooks(): Promise<Looks> {
  const { default: data } = await import('unhomoglyph/data.json', { with: { type: 'json' } })
  const prototypes = new Map(Object.entries(data))
  const mapped = (text: string) => Array.from(text, (each) => prototypes.get(each) ?? each).join('')
  // Names use few different characters.
  const known = new Map<string, string>()
  const small = (character: string) => {
    const before = known.get(character)
    if (before !== undefined) return before
    const made = bare(mapped(bare(mapped(bare(character))))).toLowerCase()
    known.set(character, made)
    return made
  }
  const look = (text: string) => {
    let letters = ''
    let signs = ''
    for (const character of text) {
      for (const each of small(character)) {
        if (LETTER.test(each)) letters += each
        else if (each.trim() !== '') signs += each
      }
    }
    // Punctuation counts only if there is nothing else.
    return folded(letters) || signs
  }
  return (text) => {
    // A capital may look like another script's letter when its small form doesn't, and the other way round.
    const [one, other] = [look(text), look(text.toLowerCase())]
    return one === other ? [one].filter(Boolean) : [one, other].filter(Boolean)
  }
}
