import { createEnclave, type Enclave } from '@keyhole/enclave'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTexts, sealTexts } from './sealed-text.ts'

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave()
  await enclave.call('create_vault', { passphrase: 'correct horse battery staple' })
})
afterAll(() => enclave.close())

describe('sealed texts', () => {
  it('exceed one call of the plugin, and each comes back the same', async () => {
    const texts = Array.from({ length: 1_200 }, (_, at) => ({
      context: `metadata:${at}`,
      text: at % 30 ? `${at}` : `${at}${'x'.repeat(500_000)}`,
    }))
    const sealed = await sealTexts(enclave, texts)
    const opened = await openTexts(
      enclave,
      texts.map(({ context }, at) => ({ context, text: sealed[at] ?? '' })),
    )
    expect(opened.every((text, at) => text === texts[at]?.text)).toBe(true)
    expect(opened).toHaveLength(texts.length)
  })
})
