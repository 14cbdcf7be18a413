// The app's page, and a vault that answers the windows it opens.
import {
  container,
  delegation,
  type Fields,
  type Person,
  person,
} from '../../../enclave/src/test/naive-tokens.ts'
import { PROTOCOL } from '../messages.ts'
import { FakeApp, type FakeWindow } from './windows.ts'

export const VAULT = 'https://vault.example'
export const owner: Person = person(1)

/** A window's browser side: the windows it opens, and the page's address. */
export class FakePage extends FakeApp {
  readonly stored = new Map<string, string>()
  readonly sessionStorage = {
    getItem: (name: string) => this.stored.get(name) ?? null,
    setItem: (name: string, value: string) => void this.stored.set(name, value),
  }
  readonly history = {
    state: null,
    replaceState: (_state: unknown, _title: string, url?: unknown) => {
      this.location.href = String(url)
    },
  }
  readonly location: Pick<Location, 'href' | 'hash' | 'assign'> & { left?: string }

  constructor(href = 'https://app.example/mail') {
    super()
    this.location = {
      href,
      get hash() {
        return new URL(this.href).hash
      },
      assign(url: string | URL) {
        this.left = String(url)
      },
    } as FakePage['location']
  }

  /** The vault's window says that it listens, and gets the request. */
  async request(at = this.opened.length - 1): Promise<{ audience: string; window: FakeWindow }> {
    const window = this.opened[at]?.window
    if (!window) throw new Error('No window was opened.')
    this.hears({ protocol: PROTOCOL, type: 'ready' }, VAULT, window)
    while (window.heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    return { audience: Object(window.heard[0]?.data).request.audience, window }
  }

  /** The person grants, with changes. */
  async grant(changes: Fields = {}): Promise<string> {
    const { audience, window } = await this.request()
    const token = grantTo(audience, changes)
    window.heard[0]?.ports[0]?.postMessage({ protocol: PROTOCOL, type: 'granted', token })
    return token
  }

  /** The person says no. */
  async decline(): Promise<void> {
    const { window } = await this.request()
    const refused = { protocol: PROTOCOL, type: 'refused', code: 'DECLINED', message: 'No.' }
    window.heard[0]?.ports[0]?.postMessage(refused)
  }
}

export function grantTo(did: string, changes: Fields = {}): string {
  return container([delegation(owner, { ...person(2), did }, { cmd: '/msg/send', ...changes })])
}
