// What the core calls unseen (`is_unseen` in `crates/vault/src/pay/payment.rs`): whatever the standard library finds not printable, what
// Unicode lets a font leave out, and signs that are drawn as nothing. A space is the only blank that shows as itself.
const UNSEEN =
  /(?! )[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0\ufffc\u{13441}\u{13442}\u{1d159}]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|\u{16fe4}|[\u{e0000}-\u{e0fff}]/u

const MARK = /\p{M}/u
const LETTER = /\p{L}/u
const ASCII_LETTER = /[A-Za-z]/
// Scripts with letters that are drawn as Latin ones are.
const ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u

/** As many marks as the core lets stand upon one letter. */
const MOST_MARKS = 3

const hex = (unit: number) => unit.toString(16)

/** Letters of phonetics and signs of mathematics that are drawn as English letters and signs are. */
const DRAWN_ALIKE = /[\u0251\u0261\u0269\u01c3\u2044\u2215\u2236\ua789]/

/** Whether a character is drawn as an English one and is none: a full-width or a mathematical "a", a ligature. Not the raised digits of Latin-1. */
function isDisguised(character: string): boolean {
  if (character < '\u00bb') return false
  if (DRAWN_ALIKE.test(character)) return true
  return /^[\x21-\x7e]$/.test(character.normalize('NFKC')) || /[\ufb00-\ufb06]/.test(character)
}

/**
 * Which characters of a text are not to be shown as they are: those that are not seen, marks upon nothing or piled up, and letters that
 * can be taken for Latin ones beside which they stand.
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

/** Plain English letters, digits and signs have nothing to hide: most texts. */
const PLAIN = /^[\x20-\x7e]*$/

/** A text with everything in it to be seen: what is hidden, or looks like something else, stands as `\u{202e}`. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text
  const characters = Array.from(text)
  const isHidden = hiddenIn(characters)
  return characters
    .map((character, at) => (isHidden[at] ? `\\u{${hex(character.codePointAt(0) ?? 0)}}` : character))
    .join('')
}

/** Marks that could be taken for the end of a quotation, and for the beginning of another one. */
const MARKS = /["“”„‟″‶˝ˮ〝〞〟❝❞🙶🙷🙸]/u
/** The same in a path, which writes its keys between straight ones and escapes those that are within. */
const MARKS_IN_PATHS = /[“”„‟″‶˝ˮ〝〞〟❝❞🙶🙷🙸]/u

/** Someone's text between quotation marks: as `visible`, and no mark in it ends the quotation. No two texts are quoted alike. */
export function quotable(text: string): string {
  return quoted(text, MARKS)
}

/** A path between quotation marks, as `quotable`. */
export function quotablePath(path: string): string {
  return quoted(path, MARKS_IN_PATHS)
}

function quoted(text: string, marks: RegExp): string {
  const characters = Array.from(text)
  const isHidden = PLAIN.test(text) ? [] : hiddenIn(characters)
  const escaped = characters.map((character, at) => {
    if (isHidden[at]) return `\\u{${hex(character.codePointAt(0) ?? 0)}}`
    return marks.test(character) ? `\\${character}` : character
  })
  // A backslash stands as it is where nothing could take it for the beginning of an escape.
  return escaped
    .map((piece, at) => {
      if (piece !== '\\') return piece
      const next = escaped[at + 1]
      const isTaken = next === undefined || next.startsWith('\\') || (next === 'u' && escaped[at + 2] === '{')
      return isTaken ? '\\\\' : '\\'
    })
    .join('')
}

/** JSON with everything in it to be seen, and read back as the same. */
export function visibleJson(json: string): string {
  if (PLAIN.test(json)) return json
  const characters = Array.from(json)
  const isHidden = hiddenIn(characters)
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
