// What the core calls unseen (`is_unseen` in `crates/vault/src/pay/payment.rs`): what the standard library treats as not printable, what
// Unicode lets a font leave out, and characters drawn as nothing. An ordinary space is the only visible blank.
const UNSEEN =
  /(?! )[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0\ufffc\u{13441}\u{13442}\u{1d159}]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|\u{16fe4}|[\u{e0000}-\u{e0fff}]/u

const MARK = /\p{M}/u
const LETTER = /\p{L}/u
const ASCII_LETTER = /[A-Za-z]/
// Scripts with letters that look like Latin ones.
const ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u

/** The most combining marks that the core allows on one letter. */
const MOST_MARKS = 3

const hex = (unit: number) => unit.toString(16)

/** Phonetic letters and mathematical signs that look like English ones. */
const DRAWN_ALIKE = /[\u0251\u0261\u0269\u01c3\u2044\u2215\u2236\ua789]/

/**
 * Whether a character looks like an English one but isn't: a full-width or mathematical "a", a ligature. The superscript digits of Latin-1
 * are fine.
 */
function isDisguised(character: string): boolean {
  if (character < '\u00bb') return false
  if (DRAWN_ALIKE.test(character)) return true
  return /^[\x21-\x7e]$/.test(character.normalize('NFKC')) || /[\ufb00-\ufb06]/.test(character)
}

/**
 * Which characters of a text can't be shown as they are: invisible ones, marks without a letter or too many of them, and letters that look
 * like the Latin ones next to them.
 */
function hiddenIn(characters: readonly string[]): boolean[] {
  const isHidden: boolean[] = []
  let marks = MOST_MARKS
  let word: number[] = []
  const endWord = () => {
    const hasLatin = word.some((at) => ASCII_LETTER.test(characters[at] ?? ''))
    if (hasLatin) for (const at of word) if (ALIKE.test(characters[at] ?? '')) isHidden[at] = true
    word = []
  }
  characters.forEach((character, at) => {
    const isMark = MARK.test(character)
    marks = isMark ? marks + 1 : 0
    isHidden.push(UNSEEN.test(character) || marks > MOST_MARKS || isDisguised(character))
    if (LETTER.test(character)) word.push(at)
    else if (!isMark && !/[\d._-]/.test(character)) endWord()
  })
  endWord()
  return isHidden
}

/** Plain English letters, digits and punctuation, as in most texts, hide nothing. */
const PLAIN = /^[\x20-\x7e]*$/

/** A text with everything in it visible: hidden or look-alike characters become `\u{202e}`. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text
  const characters = Array.from(text)
  const isHidden = hiddenIn(characters)
  return characters
    .map((character, at) => (isHidden[at] ? `\\u{${hex(character.codePointAt(0) ?? 0)}}` : character))
    .join('')
}

/** Marks that look like the end of a quotation and the start of another. */
const MARKS = /["“”„‟″‶˝ˮ〝〞〟❝❞🙶🙷🙸]/u
/** The same in a path, which puts its keys in straight quotes and escapes those inside. */
const MARKS_IN_PATHS = /[“”„‟″‶˝ˮ〝〞〟❝❞🙶🙷🙸]/u

/** Someone's text for use in quotation marks: as `visible`, with no mark that ends the quotation. No two texts are quoted alike. */
export function quotable(text: string): string {
  return quoted(text, MARKS)
}

/** A path for use in quotation marks, as `quotable`. */
export function quotablePath(path: string): string {
  return quoted(path, MARKS_IN_PATHS)
}

/** Which characters of a quoted text can't be shown as they are: also every space after a space, as a page shows several as one. */
function hiddenInQuote(characters: readonly string[]): boolean[] {
  return hiddenIn(characters).map((is, at) => is || (characters[at] === ' ' && characters[at - 1] === ' '))
}

const hidesNothing = (text: string) => PLAIN.test(text) && !text.includes('  ')

function quoted(text: string, marks: RegExp): string {
  const characters = Array.from(text)
  const isHidden = hidesNothing(text) ? [] : hiddenInQuote(characters)
  const escaped = characters.map((character, at) => {
    if (isHidden[at]) return `\\u{${hex(character.codePointAt(0) ?? 0)}}`
    return marks.test(character) ? `\\${character}` : character
  })
  // Keep a backslash that can't be mistaken for the start of an escape.
  return escaped
    .map((piece, at) => {
      if (piece !== '\\') return piece
      const next = escaped[at + 1]
      const isTaken = next === undefined || next.startsWith('\\') || (next === 'u' && escaped[at + 2] === '{')
      return isTaken ? '\\\\' : '\\'
    })
    .join('')
}

/** JSON with everything in it visible. It reads back as the same value. */
export function visibleJson(json: string): string {
  if (hidesNothing(json)) return json
  const characters = Array.from(json)
  const isHidden = hiddenInQuote(characters)
  return characters
    .map((character, at) =>
      isHidden[at]
        ? Array.from(
            { length: character.length },
            (_, unit) => `\\u${hex(character.charCodeAt(unit)).padStart(4, '0')}`,
          ).join('')
        : character,
    )
    .join('')
}
