import {
  createEnclave,
  type Enclave,
  type EnclaveExport,
  type EnclaveOptions,
  isRefusal,
} from '@keyhole/enclave'

/** A key of the sandbox. */
export interface SandboxKey {
  readonly keyId: string
  readonly did: string
}

/** A DID whose key no one here has. */
export const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** A field of an answer that must be a text. */
export function textOf(answer: unknown, name: string): string {
  const value = field(answer, name)
  if (typeof value !== 'string') throw new Error(`The answer has no ${name}.`)
  return value
}

/** A throw-away vault in its own enclave. Nothing is stored or shared with a real account. */
export class Sandbox {
  readonly enclave: Enclave
  /** The latest sealed state, as an embedder would store it. */
  sealed = ''
  passphrase: string
  recoveryCode = ''
  owner: SandboxKey = { keyId: '', did: '' }
  helper: SandboxKey = { keyId: '', did: '' }
  /** The owner lets the helper handle messages for an hour. */
  token = ''
  cid = ''
  /** When that token expires, in seconds. */
  expiresAt = 0
  #backup: Promise<string> | undefined

  private constructor(enclave: Enclave, passphrase: string) {
    this.enclave = enclave
    this.passphrase = passphrase
  }

  /** Creates a sandbox with two keys and a token. @param options where the engine and its workers come from */
  static async make(options: EnclaveOptions): Promise<Sandbox> {
    const enclave = await createEnclave(options)
    try {
      const sandbox = new Sandbox(enclave, randomText())
      await sandbox.#fill()
      return sandbox
    } catch (error) {
      await enclave.close()
      throw error
    }
  }

  async #fill(): Promise<void> {
    const made = await this.ask('create_vault', {
      passphrase: this.passphrase,
      recovery_code: true,
      label: 'Demo',
    })
    this.recoveryCode = textOf(made, 'recovery_code')
    const status = field(made, 'status')
    this.owner = { keyId: textOf(status, 'default_key'), did: textOf(status, 'issuer_did') }
    const key = field(await this.ask('generate_key', { label: 'Helper' }), 'key')
    this.helper = { keyId: textOf(key, 'key_id'), did: textOf(key, 'did') }
    this.expiresAt = Math.floor(Date.now() / 1000) + 3600
    const token = await this.ask('new_origin_token', {
      audience_did: this.helper.did,
      command: '/msg',
      policy: [['like', '.to', '*@example.com']],
      expires_at: this.expiresAt,
      key_id: this.owner.keyId,
    })
    this.token = textOf(token, 'token')
    this.cid = textOf(token, 'cid')
  }

  /** Calls a function of the plugin and returns its answer, including a refusal. Keeps the sandbox's own state up to date. */
  async call(name: EnclaveExport, input: unknown = {}): Promise<unknown> {
    const answer: unknown = await this.enclave.callByName(name, input)
    if (isRefusal(answer)) return answer
    const sealed = field(answer, 'enclave')
    if (typeof sealed === 'string') this.sealed = sealed
    const passphrase = field(input, 'passphrase')
    if (name === 'set_passphrase' && typeof passphrase === 'string') this.passphrase = passphrase
    return answer
  }

  /** The same, for when the answer is needed. @throws Error if it is refused */
  async ask(name: EnclaveExport, input: unknown = {}): Promise<unknown> {
    const answer = await this.call(name, input)
    if (isRefusal(answer)) throw new Error(answer.error)
    return answer
  }

  /** Opens the vault again if a call has locked or closed it. */
  async ready(): Promise<void> {
    const status = field(await this.ask('vault_status'), 'status')
    if (field(status, 'initialized') === true && field(status, 'locked') === false) return
    await this.ask('unlock_vault', { proof: this.proof, enclave: this.sealed })
  }

  get proof(): { passphrase: string } {
    return { passphrase: this.passphrase }
  }

  /** The passphrase of the backup. */
  readonly filePassphrase = 'a passphrase for the file alone'

  /** A backup of the sandbox, written on first use. */
  backup(): Promise<string> {
    const write = async () =>
      textOf(
        await this.ask('export_vault', {
          proof: this.proof,
          export_passphrase: this.filePassphrase,
          contents: { note: 'Whatever belongs to the account.' },
        }),
        'backup',
      )
    this.#backup ??= write()
    return this.#backup
  }

  /** The helper sends a message with the token it was given. */
  async invocation(more: Record<string, unknown> = {}): Promise<unknown> {
    return this.ask('invoke', {
      command: '/msg/send',
      args: { to: 'bob@example.com', text: 'Hello' },
      subject_did: this.owner.did,
      proof_token: this.token,
      ...more,
    })
  }
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
