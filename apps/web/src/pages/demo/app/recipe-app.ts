import { createEnclave, type Enclave, type EnclaveOptions, isRefusal } from '@keyhole/enclave'
import { toBase64Url } from '@keyhole/vault/base64url'
import type { Capability } from '../../../shared/grant-words/sentence.ts'
import { containerOf, envelopesOf, saidIn, withSignature, withText } from '../engine/container.ts'
import { textOf } from '../engine/sandbox.ts'

/** What the app asks for: to read one folder of notes, for an hour. */
export const WISH = {
  command: '/notes/read',
  policy: [['==', '.folder', 'recipes']],
  expiresIn: 3600,
} as const

/** What the app got: the token and what it allows, which may be less than it asked for. */
export interface Grant {
  readonly token: string
  /** Who owns the notes. */
  readonly owner: string
  readonly says: Capability
}

/** A refusal by the engine as an error with its name. */
function refusedBy(details: { readonly name?: string }): Error {
  return Object.assign(new Error(details.name), { details })
}

/** A private Ed25519 key as PKCS #8 (RFC 8410, section 7): this prefix, then the seed. */
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]
/** The tag of an invocation's envelope. */
const INVOCATION = 'ucan/inv@'

/** An app with its own key. Nothing is stored. */
export class RecipeApp {
  readonly did: string
  readonly #enclave: Enclave
  readonly #key: Uint8Array<ArrayBuffer>

  private constructor(enclave: Enclave, did: string, key: Uint8Array<ArrayBuffer>) {
    this.#enclave = enclave
    this.did = did
    this.#key = key
  }

  /** Creates an app with its key. @param options where the engine and its workers come from */
  static async make(options: EnclaveOptions): Promise<RecipeApp> {
    const enclave = await createEnclave(options)
    try {
      const key = Uint8Array.from([...PKCS8, ...crypto.getRandomValues(new Uint8Array(32))])
      const made = await enclave.call('create_vault', {
        passphrase: toBase64Url(crypto.getRandomValues(new Uint8Array(32))),
        key: { text: toBase64Url(key), format: 'pkcs8' },
      })
      if (isRefusal(made)) throw refusedBy(made)
      return new RecipeApp(enclave, textOf(made.status, 'issuer_did'), key)
    } catch (error) {
      await enclave.close()
      throw error
    }
  }

  close(): Promise<void> {
    return this.#enclave.close()
  }

  /** Reads what a vault granted. @throws Error if the token isn't for this app or isn't valid */
  async read(token: string): Promise<Grant> {
    const read = await this.#enclave.call('verify_token', { token })
    if (isRefusal(read)) throw refusedBy(read)
    if (!read.valid) throw refusedBy(read.error)
    const leaf = read.chain.at(-1)
    const owner = read.chain[0]?.issuer
    if (leaf?.audience !== this.did || owner === undefined) throw refusedBy({ name: 'InvalidAudience' })
    const { command, policy, expires_at: end } = read.effective
    const { issuer, audience, subject } = leaf
    const expiresAt = end === null ? undefined : end * 1000
    return { token, owner, says: { issuer, audience, subject, command, policy, expiresAt } }
  }

  /** Signs a call. @throws Error if the enclave refuses: it signs nothing that the grant doesn't allow */
  async call({ token, owner }: Grant, folder: string): Promise<string> {
    const made = await this.#enclave.call('invoke', {
      ...{ command: WISH.command, args: { folder }, subject_did: owner, proof_token: token },
    })
    if (isRefusal(made)) throw refusedBy(made)
    return made.token
  }

  /**
   * Signs a call that the grant doesn't allow. The enclave would refuse, so this takes an allowed call, writes another folder over its own,
   * and signs it with the app's key. The signature is genuine, as a dishonest app's would be.
   * @param folder with as many letters as `recipes`
   */
  async overreach(grant: Grant, folder: string): Promise<string> {
    const envelopes = await envelopesOf(await this.call(grant, 'recipes'))
    return containerOf(
      await Promise.all(
        envelopes.map((envelope) =>
          new TextDecoder('latin1').decode(envelope).includes(INVOCATION)
            ? this.#sign(withText(envelope, 'recipes', folder))
            : envelope,
        ),
      ),
    )
  }

  async #sign(envelope: Uint8Array): Promise<Uint8Array> {
    // With the browser's own crypto: the enclave wouldn't sign this.
    const key = await crypto.subtle.importKey('pkcs8', this.#key, 'Ed25519', false, ['sign'])
    const signature = await crypto.subtle.sign('Ed25519', key, Uint8Array.from(saidIn(envelope)))
    return withSignature(envelope, new Uint8Array(signature))
  }
}
