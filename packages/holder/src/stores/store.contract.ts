// The contract of every store.
import { describe, expect, it } from 'vitest'
import { signWith } from '../identity/holder-key.ts'
import type { HolderStore } from './store.ts'

/** A place where stores of one kind keep their data. Stores of the same place share it. */
export interface Place {
  open(): HolderStore
  /** Whether a store sees what another of the same place has stored. */
  readonly isShared: boolean
}

export function holdsAsStore(name: string, makePlace: () => Place | Promise<Place>): void {
  describe(`a store in ${name}`, () => {
    it('creates a key once, which signs and cannot be read out', async () => {
      const { open } = await makePlace()
      const store = open()
      const [one, other] = await Promise.all([store.key(), store.key()])
      expect(one.publicKey).toEqual(other.publicKey)
      expect(one.publicKey).toHaveLength(32)
      expect(one.privateKey.extractable).toBe(false)
      const message = new TextEncoder().encode('a message')
      const signature = new Uint8Array(await signWith(one, message))
      const publicKey = await crypto.subtle.importKey('raw', one.publicKey, 'Ed25519', false, ['verify'])
      expect(await crypto.subtle.verify('Ed25519', publicKey, signature, message)).toBe(true)
    })

    it('gives the same key to everyone who opens it at once', async () => {
      const { open, isShared } = await makePlace()
      if (!isShared) return
      const keys = await Promise.all(Array.from({ length: 8 }, () => open().key()))
      expect(new Set(keys.map(({ publicKey }) => Buffer.from(publicKey).toString('hex'))).size).toBe(1)
    })

    it('keeps grants, each under its id, until they are removed', async () => {
      const { open, isShared } = await makePlace()
      const store = open()
      const before = await store.tokens()
      await Promise.all([store.keep('a', 'Cone'), store.keep('b', 'Ctwo')])
      await store.keep('a', 'Cthree')
      const reader = isShared ? open() : store
      const kept = (texts: readonly string[]) => texts.filter((text) => !before.includes(text)).sort()
      expect(kept(await reader.tokens())).toEqual(['Cthree', 'Ctwo'])
      await store.remove('a')
      await store.remove('never there')
      expect(kept(await reader.tokens())).toEqual(['Ctwo'])
    })

    it('keeps many at once', async () => {
      const { open } = await makePlace()
      const store = open()
      const before = (await store.tokens()).length
      await Promise.all(Array.from({ length: 50 }, (_, at) => store.keep(`id-${at}`, `C${at}`)))
      expect(await store.tokens()).toHaveLength(before + 50)
    })
  })
}
