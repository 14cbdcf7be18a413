// What is not seen, or turns round the order of what is: controls, marks of direction, letters without width, tags. The two
// joiners belong to emoji and to some scripts; after a plain letter they are only hidden.
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufdd0-\ufdef\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\u034f|\u17b4|\u17b5|(?<!\P{ASCII})(?:\u200c|\u200d)/gu

const code = (unit: number) => unit.toString(16)

/** A text with everything in it to be seen: what is hidden stands as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (hidden) => `\\u{${code(hidden.codePointAt(0) ?? 0)}}`)
}

/** JSON with everything in it to be seen, and read back as the same. */
export function visibleJson(json: string): string {
  return json.replace(HIDDEN, (hidden) =>
    Array.from(
      { length: hidden.length },
      (_, at) => `\\u${code(hidden.charCodeAt(at)).padStart(4, '0')}`,
    ).join(''),
  )
}
