import type { StoredToken } from '@keyhole/vault'
import { expect, it } from 'vitest'
import { mayContinue } from '../search-index/token-messages.ts'
import { affectedBy } from './affected.ts'

function stored(cid: string, more: Partial<StoredToken> = {}): StoredToken {
  return {
    ...{ id: cid, cid, token: `text of ${cid}`, type: 'attenuated', issuer: 'did:key:zMe' },
    ...{ audience: 'a', audienceDid: 'did:key:zBob', command: '/msg', policy: [], subject: 'did:key:zMe' },
    ...{ createdAt: 0, ...more },
  }
}

const link = (cid: string, iss: string, aud: string) => ({
  ...{ cid, kind: 'delegation' as const, algorithm: 'Ed25519', signature_valid: true },
  payload: { iss, aud, sub: 'did:key:zMe' },
})

const parent = stored('root', { type: 'origin' })

const chains: Record<string, ReturnType<typeof link>[]> = {
  'text of child': [
    link('child', 'did:key:zBob', 'did:key:zCarol'),
    link('root', 'did:key:zMe', 'did:key:zBob'),
  ],
  'text of grandchild': [
    link('grandchild', 'did:key:zCarol', 'did:key:zDave'),
    link('root', 'did:key:zMe', 'did:key:zBob'),
    link('child', 'did:key:zBob', 'did:key:zCarol'),
  ],
  'text of other': [link('other', 'did:key:zMe', 'did:key:zEve')],
}

function reader() {
  const opened: string[] = []
  const all = [
    parent,
    stored('child', { command: '/msg/send' }),
    stored('grandchild', { type: 'received', command: '/msg/send' }),
    stored('other'),
    stored('elsewhere', { command: '/http' }),
  ]
  const tokens = {
    continuing: async (grants: readonly StoredToken[]) =>
      all.filter((each) => grants.some((grant) => mayContinue(grant, each))).map(({ token }) => token),
    inspect: async (text: string) => {
      opened.push(text)
      return { tokens: chains[text] ?? [] }
    },
  }
  return { opened, tokens }
}

it('everyone whose chain runs through it is affected, each once; no one else', async () => {
  const { opened, tokens } = reader()
  const progress: string[] = []
  const found = await affectedBy([parent], tokens, new AbortController().signal, (done, of) =>
    progress.push(`${done}/${of}`),
  )
  expect(found).toEqual(
    ['did:key:zBob', 'did:key:zCarol', 'did:key:zDave'].map((did) => ({ did, loses: [parent] })),
  )
  expect(opened).toEqual(['text of child', 'text of grandchild', 'text of other'])
  expect(progress).toEqual(['1/3', '2/3', '3/3'])
})

it('of several grants each holder loses those that their chain runs through', async () => {
  const { opened, tokens } = reader()
  const web = stored('web', { type: 'origin', command: '/http', audienceDid: 'did:key:zCarol' })
  const found = await affectedBy([parent, web], tokens, new AbortController().signal, () => {})
  expect(found).toEqual([
    { did: 'did:key:zBob', loses: [parent] },
    { did: 'did:key:zCarol', loses: [web, parent] },
    { did: 'did:key:zDave', loses: [parent] },
  ])
  // Each is opened once, however many grants it may come from.
  expect(new Set(opened).size).toBe(opened.length)
})

it('what cannot have grown out of it is not opened', () => {
  expect(mayContinue(parent, parent)).toBe(false)
  expect(mayContinue(parent, stored('x', { command: '/msgs' }))).toBe(false)
  expect(mayContinue(parent, stored('x', { subject: 'did:key:zOther' }))).toBe(false)
  expect(mayContinue(parent, stored('x', { type: 'invocation' }))).toBe(false)
  expect(mayContinue(stored('root', { subject: null }), stored('x', { subject: 'did:key:zOther' }))).toBe(
    true,
  )
})
