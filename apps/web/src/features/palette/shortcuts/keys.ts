/** What a key asks for, beside moving within the page. */
export type Wish = 'palette' | 'list' | Shortcut

/** What a person can do by a letter, or by g and a letter. */
export type Shortcut =
  | 'home'
  | 'identity'
  | 'payment'
  | 'search'
  | 'demo'
  | 'keys'
  | 'grants'
  | 'received'
  | 'check'
  | 'unlocking'
  | 'backup'
  | 'activity'
  | 'contacts'
  | 'accounts'
  | 'settings'
  | 'sessions'
  | 'devices'
  | 'new'
  | 'take'
  | 'lock'
  | 'unlock'

/** The letters after g. */
export const GO: Readonly<Record<string, Shortcut>> = {
  h: 'home',
  i: 'identity',
  p: 'payment',
  s: 'search',
  d: 'demo',
  k: 'keys',
  g: 'grants',
  r: 'received',
  c: 'check',
  m: 'unlocking',
  b: 'backup',
  a: 'activity',
  o: 'contacts',
  v: 'accounts',
  e: 'settings',
  t: 'sessions',
  y: 'devices',
}

/** The letters by themselves. */
export const ALONE: Readonly<Record<string, Shortcut>> = { n: 'new', t: 'take', l: 'lock', u: 'unlock' }

/** How long g waits for its letter, in milliseconds. */
const PATIENCE = 1500

/** As much of a keyboard event as is read. */
export interface Pressed {
  readonly key: string
  /** The key's place: what counts on a keyboard that writes no Latin letters. */
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly repeat: boolean
  readonly timeStamp: number
}

/** Where the focus is when a key comes down. */
export interface Place {
  /** In something that takes letters itself. */
  readonly typing: boolean
  /** In a dialog: only its own keys count there. */
  readonly dialog: boolean
}

function letter({ key, code }: Pressed): string {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase()
}

/** Reads keys, remembering a g for a moment. */
export class KeyReader {
  readonly #apple: boolean
  #leader = Number.NEGATIVE_INFINITY

  constructor(apple: boolean) {
    this.#apple = apple
  }

  /**
   * What a key asks for, if anything.
   * @param letters whether keys without a modifier count
   */
  read(pressed: Pressed, place: Place, letters: boolean): Wish | undefined {
    const { ctrlKey, metaKey, altKey, shiftKey, repeat, key, timeStamp } = pressed
    const led = timeStamp - this.#leader < PATIENCE
    this.#leader = Number.NEGATIVE_INFINITY
    if (repeat || place.dialog) return undefined
    if (ctrlKey || metaKey || altKey) {
      const modifier = this.#apple ? metaKey && !ctrlKey : ctrlKey && !metaKey
      return modifier && !altKey && !shiftKey && letter(pressed) === 'k' ? 'palette' : undefined
    }
    if (!letters || place.typing) return undefined
    // Where they are on the keyboard differs, with and without Shift.
    if (key === '/') return 'palette'
    if (key === '?') return 'list'
    if (shiftKey) return undefined
    if (led) return GO[letter(pressed)]
    if (letter(pressed) === 'g') {
      this.#leader = timeStamp
      return undefined
    }
    return ALONE[letter(pressed)]
  }
}

const TYPING =
  'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu], [role=textbox]'

/** Where the focus is, as far as keys care. */
export function placeOf(element: Element | null): Place {
  return {
    typing: element?.closest(TYPING) != null,
    dialog: element?.closest('[role=dialog], [role=alertdialog]') != null,
  }
}
