/** The browser's own signature scheme, with a key made for this run. */
export interface NativeSigner {
  sign(): Promise<unknown>
  verify(): Promise<unknown>
}

/** The browser's own Ed25519 or P-256. Undefined if it has none. */
export async function nativeSigner(
  name: 'Ed25519' | 'P-256',
  message: Uint8Array<ArrayBuffer>,
): Promise<NativeSigner | undefined> {
  const made = name === 'Ed25519' ? { name } : { name: 'ECDSA', namedCurve: 'P-256' }
  const used = name === 'Ed25519' ? { name } : { name: 'ECDSA', hash: 'SHA-256' }
  try {
    const pair = await crypto.subtle.generateKey(made, false, ['sign', 'verify'])
    if (!('privateKey' in pair)) return undefined
    const signature = await crypto.subtle.sign(used, pair.privateKey, message)
    return {
      sign: () => crypto.subtle.sign(used, pair.privateKey, message),
      verify: async () => {
        if (!(await crypto.subtle.verify(used, pair.publicKey, signature, message)))
          throw new Error('It does not fit.')
      },
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return undefined
    throw error
  }
}
