import { describe, expect, it } from 'vitest'
import { containerOf, envelopesOf, tamper } from './container.ts'

const envelope = (seed: number, length: number) =>
  Uint8Array.from({ length }, (_, index) => (seed + index * 7) % 256)

describe('containers', () => {
  it('come back as they went in', async () => {
    for (const envelopes of [[envelope(1, 10)], [envelope(2, 200), envelope(3, 700)], []]) {
      expect(await envelopesOf(containerOf(envelopes))).toEqual(envelopes)
    }
  })

  it('can be read compressed as well', async () => {
    const plain = Buffer.from(containerOf([envelope(5, 300)]).slice(1), 'base64url')
    const stream = new Blob([plain]).stream().pipeThrough(new CompressionStream('gzip'))
    const packed = Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url')
    expect(await envelopesOf(`P${packed}`)).toEqual([envelope(5, 300)])
  })

  it('differ by one bit after tampering', () => {
    const before = envelope(9, 120)
    const after = tamper(before)
    expect(after.filter((byte, index) => byte !== before[index])).toHaveLength(1)
  })
})
