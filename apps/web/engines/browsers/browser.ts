/** What the tests need from a browser, whatever its engine. */
export interface Browser {
  /** The tab that the browser starts with, or a new one. */
  tab(): Promise<Tab>
  close(): Promise<void>
}

export interface Tab {
  open(url: string): Promise<void>
  /**
   * Runs a function in the page.
   * @param source the text of a function, which may be asynchronous
   * @param args its arguments, as JSON
   * @returns its result, as JSON
   */
  call(source: string, args: readonly unknown[]): Promise<unknown>
  /** Clicks there, in pixels from the top left of the visible page. */
  click(x: number, y: number): Promise<void>
  type(text: string): Promise<void>
}

/** Both protocols take the same actions (WebDriver, 15.4; WebDriver BiDi, 7.9). */
export function clickActions(x: number, y: number) {
  return [
    {
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions: [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    },
  ]
}

/** The keys of a text, pressed one after the other. */
export function typeActions(text: string) {
  const actions = [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
  return [{ type: 'key', id: 'keyboard', actions }]
}

/** The text of a function that returns its result as JSON, because the protocols treat values differently. */
export const asJson = (source: string, args: readonly unknown[]) =>
  `async () => JSON.stringify((await (${source})(...${JSON.stringify(args)})) ?? null)`
