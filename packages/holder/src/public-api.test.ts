import { expect, it } from 'vitest'

it.each([
  ['.', () => import('./index.ts'), ['HolderError', 'createHolder', 'memoryStore']],
  ['./browser', () => import('./browser.ts'), ['indexedDbStore']],
  ['./loopback', () => import('./loopback.ts'), ['loopback']],
  ['./mailbox', () => import('./mailbox.ts'), ['mailbox']],
  ['./request', () => import('./request.ts'), ['grantsIn', 'requestTo']],
  ['./revoke', () => import('./revoke.ts'), ['signRevocation']],
  ['./seal', () => import('./seal.ts'), ['makeSealKey', 'openSealed', 'sealTo']],
  ['./redirect', () => import('./redirect.ts'), ['redirect', 'resume']],
  [
    './node',
    () => import('./node.ts'),
    ['defaultStore', 'environmentStore', 'fileStore', 'holderFolder', 'makeKeyText', 'readKeyText'],
  ],
])('%s exports this and nothing else', async (_name, entry, names) => {
  expect(Object.keys(await entry()).sort()).toEqual(names)
})
