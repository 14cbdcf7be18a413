import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tokenText } from './read-file.ts'

const vectors = join(import.meta.dirname, '../../../../../vectors')
const container = (name: string) => readFileSync(join(vectors, 'container', name))

test('text is taken as it is', () => {
  expect(tokenText(new TextEncoder().encode('Cabc é'))).toBe('Cabc é')
})

test('a raw container becomes base64url behind the header for it', () => {
  for (const [name, header] of [
    ['Bytes', 'C'],
    ['BytesGzipped', 'P'],
  ] as const) {
    const raw = container(name)
    const text = tokenText(raw)
    expect(text[0]).toBe(header)
    expect(Buffer.from(text.slice(1), 'base64url').equals(raw.subarray(1))).toBe(true)
  }
})

test('a raw envelope becomes base64url', () => {
  const { valid } = JSON.parse(readFileSync(join(vectors, 'ucan-1.0.0/delegation.json'), 'utf8'))
  const envelope = Buffer.from(valid[0].token, 'base64')
  expect(tokenText(envelope)).toBe(envelope.toString('base64url'))
})
