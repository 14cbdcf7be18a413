import { isRefusal } from '@keyhole/enclave'
import { type Sandbox, textOf } from './sandbox.ts'

/** What the app of the demo asks for: to read one folder of notes. */
export const WISH = { command: '/notes/read', policy: [['==', '.folder', 'recipes']] } as const

/** What a service answered: that it was done, or the rule that it broke. */
export type Answer =
  | { readonly done: true }
  | { readonly done: false; readonly name: string; readonly message: string }

/** The service behind the app: it checks invocations as examples/verify-server does, remembers them, and hears of revocations. */
export class AppDesk {
  readonly #sandbox: Sandbox
  readonly #seen: string[] = []
  readonly #revocations: string[] = []
  #token = ''
  #cid = ''

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** The person grants what was asked: a delegation from the owner's key to the app's. @param seconds for how long */
  async grant(seconds: number): Promise<string> {
    const granted = await this.#sandbox.ask('new_origin_token', {
      ...WISH,
      audience_did: this.#sandbox.helper.did,
      key_id: this.#sandbox.owner.keyId,
      expires_at: Math.floor(Date.now() / 1000) + seconds,
    })
    this.#token = textOf(granted, 'token')
    this.#cid = textOf(granted, 'cid')
    return this.#token
  }

  /** The app signs a request with its own key, and shows it to the service. */
  async use(folder: string): Promise<Answer> {
    const { owner } = this.#sandbox
    const invocation = await this.#sandbox.call('invoke', {
      command: WISH.command,
      args: { folder },
      subject_did: owner.did,
      proof_token: this.#token,
    })
    if (isRefusal(invocation)) return { done: false, name: invocation.code, message: invocation.error }
    const verdict = await this.#sandbox.ask('validate_invocation', {
      invocation: textOf(invocation, 'token'),
      audience: owner.did,
      seen: this.#seen,
      revocations: this.#revocations,
    })
    const { valid, cid, error } = verdict as {
      valid: boolean
      cid?: string
      error?: { name: string; message: string }
    }
    if (error) return { done: false, ...error }
    if (valid && cid !== undefined) this.#seen.push(cid)
    return { done: true }
  }

  /** The person ends the session: the revocation is signed, and delivered to the service. */
  async end(): Promise<void> {
    const revocation = await this.#sandbox.ask('revoke', { cid: this.#cid, token: this.#token })
    this.#revocations.push(textOf(revocation, 'token'))
  }
}
