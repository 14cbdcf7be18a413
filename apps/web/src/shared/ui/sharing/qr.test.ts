import fc from 'fast-check'
import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { qrModules } from './qr-modules.ts'

/** The drawing as pixels, three to a module: what a camera would see. */
function picture({ side, path }: { side: number; path: string }) {
  const scale = 3
  const width = side * scale
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x = '', y = '', length = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = 0; row < scale; row++) {
      for (let column = 0; column < Number(length) * scale; column++) {
        const at = ((Number(y) * scale + row) * width + Number(x) * scale + column) * 4
        data.fill(0, at, at + 3)
      }
    }
  }
  return { width, height: width, data }
}

test('what is drawn reads as what was set', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }), (text) => {
      const code = qrModules(text)
      if (!code) throw new Error('no code')
      expect(decodeQR(picture(code), { timeLimit: 1000 })).toBe(text)
    }),
    { numRuns: 30 },
  )
})

test('a whole token fits, and what does not is told', () => {
  expect(qrModules('k'.repeat(2953))).toBeDefined()
  expect(qrModules('k'.repeat(2954))).toBeUndefined()
})

test('four light modules stand around it', () => {
  const code = qrModules('did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK')
  const starts = [...(code?.path ?? '').matchAll(/M(\d+) (\d+)h(\d+)/g)]
  expect(Math.min(...starts.map(([, x]) => Number(x)))).toBe(4)
  expect(Math.min(...starts.map(([, , y]) => Number(y)))).toBe(4)
  expect(Math.max(...starts.map(([, x, , length]) => Number(x) + Number(length)))).toBe((code?.side ?? 0) - 4)
})
