// A relay with scripted answers, and a vault that seals answers with a different HPKE implementation than the holder's.
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { sealInfo } from '../replies/sealed-answer.ts'

/** Seals an answer like a vault: the sender's key, and the ciphertext. */
export async function seal(
  to: Uint8Array<ArrayBuffer>,
  digest: Uint8Array,
  mailbox: string,
  answer: Uint8Array,
  keyMaterial?: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const suite = new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  })
  const recipientPublicKey = await suite.kem.deserializePublicKey(to.buffer)
  const info = sealInfo(digest, mailbox)
  const ephemeral = keyMaterial && (await suite.kem.deriveKeyPair(keyMaterial.buffer))
  const sender = await suite.createSenderContext({
    recipientPublicKey,
    info: info.buffer,
    ...(ephemeral ? { ekm: ephemeral } : {}),
  })
  const sealed = await sender.seal(new Uint8Array(answer).buffer)
  return new Uint8Array(Buffer.concat([Buffer.from(sender.enc), Buffer.from(sealed)]))
}

/** A call to the relay. */
export interface Asked {
  readonly path: string
  readonly token: string
}

/** A `fetch` that answers each call with the next of these, and then keeps repeating the last one. */
export function relayDouble(answers: readonly ((asked: Asked) => Response | Promise<Response>)[]) {
  const asked: Asked[] = []
  const double: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted()
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    const call = { path: new URL(String(input)).pathname, token }
    asked.push(call)
    const answer = answers[Math.min(asked.length, answers.length) - 1]
    if (!answer) throw new TypeError('No one answers.')
    return await answer(call)
  }
  return { fetch: double, asked }
}

export const json = (status: number, body: unknown) => () => Response.json(body, { status })
