/** A separate window: the messages posted to it, and whether it is closed. */
export class FakeWindow extends EventTarget {
  closed = false
  readonly heard: { data: unknown; target: string; ports: readonly MessagePort[] }[] = []

  postMessage(data: unknown, target: string, ports: readonly MessagePort[] = []): void {
    this.heard.push({ data, target, ports })
  }

  close(): void {
    this.closed = true
  }
}

/** An app's own window, which opens others. */
export class FakeApp extends EventTarget {
  readonly opened: { url: string; window: FakeWindow }[] = []
  blocks = false

  open(url: string): FakeWindow | null {
    if (this.blocks) return null
    const window = new FakeWindow()
    this.opened.push({ url, window })
    return window
  }

  /** A message from another window. */
  hears(data: unknown, origin: string, source: unknown): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data, origin, source }))
  }

  /** The type that the code under test expects. */
  get asWindow(): Window {
    return this as unknown as Window
  }
}
