// Finds elements by role and name, as a person or a screen reader does, and uses them with mouse and keyboard.
import { setTimeout as wait } from 'node:timers/promises'
import type { Tab } from './browsers/browser.ts'

/** How long to wait for something, in milliseconds. Deriving a key takes seconds on a busy machine. */
const PATIENCE = 60_000

type Role = 'button' | 'link' | 'field' | 'radio' | 'tab' | 'heading' | 'region' | 'article' | 'text'

export interface Wanted {
  readonly role: Role
  readonly name: string | RegExp
  /** Look only in the card with this heading, in the dialog in front, or in the page's header. */
  readonly within?: { readonly card: string } | 'dialog' | 'header'
}

interface Found {
  readonly x: number
  readonly y: number
  readonly text: string
  /** Whether a press there reaches it: nothing covers it, and it isn't disabled. */
  readonly ready: boolean
  /** Whether a tab is the selected one. */
  readonly selected: boolean
  /** Whether what is typed goes there. */
  readonly focused: boolean
}

/** Runs in the page. */
function find(
  role: string,
  source: string,
  flags: string,
  within: { card: string } | 'dialog' | 'header' | null,
): Found | null {
  const SELECTORS: Record<string, string> = {
    button: 'button, [role=button], summary',
    link: 'a[href]',
    field: 'input:not([type=radio], [type=checkbox], [type=file]), textarea, [role=combobox]',
    radio: 'input[type=radio], [role=radio]',
    tab: '[role=tab]',
    heading: 'h1, h2, h3, h4',
    region: '[role=region], section[aria-label]',
    article: 'article, [role=article]',
    text: 'p, span, li, dd, strong, code, h1, h2, h3, h4, label, div',
  }
  const pattern = new RegExp(source, flags)
  const clean = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const nameOf = (element: Element) => {
    const by = element.getAttribute('aria-labelledby')
    if (by !== null)
      return clean(
        by
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent)
          .join(' '),
      )
    const label = element.getAttribute('aria-label')
    if (label !== null) return clean(label)
    const { labels } = element as HTMLInputElement
    if (labels && labels.length > 0) return clean([...labels].map((each) => each.textContent).join(' '))
    return clean(element.textContent)
  }
  const shown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  let scopes: Element[] = [document.body]
  if (within === 'header') scopes = [...document.querySelectorAll('header')]
  else if (within === 'dialog')
    scopes = [...document.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog]')].filter(shown)
  else if (within !== null)
    scopes = [...document.querySelectorAll('section')].filter((section) =>
      [...section.querySelectorAll('h1, h2, h3, h4')].some((each) => clean(each.textContent) === within.card),
    )
  const selector = SELECTORS[role] ?? '*'
  const matching = scopes
    .flatMap((scope) => [...scope.querySelectorAll(selector)])
    .filter((element) => pattern.test(nameOf(element)) && (shown(element) || role === 'radio'))
  // Of matching texts take the innermost: the elements around it contain the same words.
  const [element] = matching.filter(
    (each) => role !== 'text' || !matching.some((other) => other !== each && each.contains(other)),
  )
  if (!element) return null
  const label = role === 'radio' ? (element as HTMLInputElement).labels?.[0] : undefined
  const seen = label ?? element
  seen.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top, width, height } = seen.getBoundingClientRect()
  const value = 'value' in element && role === 'field' ? String(element.value) : clean(element.textContent)
  const [x, y] = [left + width / 2, top + height / 2]
  const enabled = !element.matches(':disabled, [aria-disabled=true]')
  const ready = enabled && seen.contains(document.elementFromPoint(x, y))
  const selected = element.matches('[aria-selected=true]')
  return { x, y, text: value, ready, selected, focused: element === document.activeElement }
}

/** A page in a tab. */
export class Page {
  readonly tab: Tab

  constructor(tab: Tab) {
    this.tab = tab
  }

  /** The element as it is now, if there is one. */
  async look({ role, name, within = undefined }: Wanted): Promise<Found | undefined> {
    const exact = typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\…]/g, '\\$&')}$` : name.source
    const flags = typeof name === 'string' ? '' : name.flags
    const found = await this.tab.call(find.toString(), [role, exact, flags, within ?? null])
    return found === null ? undefined : (found as Found)
  }

  /** Waits until one of these is there. @returns which one */
  async sees<const W extends readonly Wanted[]>(...wanted: W): Promise<{ found: Found; wanted: Wanted }> {
    for (const until = Date.now() + PATIENCE; ; await wait(100)) {
      for (const each of wanted) {
        const found = await this.look(each)
        if (found) return { found, wanted: each }
      }
      if (Date.now() > until)
        throw new Error(`The page never showed ${JSON.stringify(wanted.map(said))}. ${await this.text()}`)
    }
  }

  /** Waits until it is gone. */
  async misses(wanted: Wanted): Promise<void> {
    for (const until = Date.now() + PATIENCE; await this.look(wanted); await wait(100)) {
      if (Date.now() > until) throw new Error(`The page still shows ${JSON.stringify(said(wanted))}.`)
    }
  }

  /** Presses it as soon as possible. */
  async press(wanted: Wanted): Promise<void> {
    for (const until = Date.now() + PATIENCE; ; await wait(100)) {
      const before = await this.look(wanted)
      await wait(50)
      const found = await this.look(wanted)
      // A click would miss something that still moves.
      if (found?.ready && before?.x === found.x && before.y === found.y)
        return await this.tab.click(found.x, found.y)
      if (Date.now() > until)
        throw new Error(`The page never let ${JSON.stringify(said(wanted))} be pressed. ${await this.text()}`)
    }
  }

  /** Opens a tab and waits until it is selected. */
  async open(name: string): Promise<void> {
    const wanted: Wanted = { role: 'tab', name }
    for (const until = Date.now() + PATIENCE; !(await this.look(wanted))?.selected; await wait(1_000)) {
      // The page may have just been drawn and not listen yet.
      await this.press(wanted)
      if (Date.now() > until) throw new Error(`The tab ${name} was never selected. ${await this.text()}`)
    }
  }

  /** Presses it until it shows this: the list below it may have moved it at that moment. */
  async disclose(wanted: Wanted, shown: Wanted): Promise<void> {
    for (const until = Date.now() + PATIENCE; !(await this.look(shown)); await wait(1_000)) {
      await this.press(wanted)
      if (Date.now() > until) throw new Error(`Nothing showed ${JSON.stringify(said(shown))}.`)
    }
  }

  /** Types a text into a field. */
  async fill(name: string | RegExp, text: string, within?: Wanted['within']): Promise<void> {
    const field: Wanted = { role: 'field', name, ...(within === undefined ? {} : { within }) }
    // A press counts once the field has the focus: the page may have moved it at that moment.
    for (const until = Date.now() + PATIENCE; !(await this.look(field))?.focused; await wait(100)) {
      await this.press(field)
      if (Date.now() > until) throw new Error(`A field never took the focus: ${JSON.stringify(said(field))}.`)
    }
    await this.tab.type(text)
    const found = await this.look(field)
    if (found && found.text !== text)
      throw new Error(`A field has not what was typed: ${JSON.stringify(said(field))}.`)
  }

  /** All text on the page, for an error. */
  async text(): Promise<string> {
    return `It says: ${await this.tab.call('() => document.body.innerText.slice(0, 1500)', [])}`
  }
}

const said = ({ role, name, within }: Wanted) => ({ role, name: String(name), within })
