import { expect, it } from 'vitest'

it.each([
  ['.', () => import('./index.ts'), ['BOUNDS', 'RATES', 'StoreError', 'createRelay', 'memoryStore']],
  ['./embedded', () => import('./embedded.ts'), ['embeddedStore']],
  ['./nats', () => import('./nats.ts'), ['natsStore']],
  ['./node', () => import('./node.ts'), ['answerUnavailable', 'relayListener']],
])('%s exports this and nothing else', async (_name, entry, names) => {
  expect(Object.keys(await entry()).sort()).toEqual(names)
})
