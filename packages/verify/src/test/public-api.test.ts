import { expect, it } from 'vitest'

it.each([
  [
    '.',
    () => import('../index.ts'),
    [
      'LONGEST_TOKEN',
      'RevocationIndex',
      'StrangerQueue',
      'VerifyError',
      'createVerifier',
      'memoryClaims',
      'memoryRevocations',
      'networkOf',
      'relayRevocations',
      'revocationsByOwner',
    ],
  ],
  ['./did', () => import('../did.ts'), ['isDid']],
  ['./embedded', () => import('../embedded.ts'), ['embeddedClaims', 'embeddedRevocations']],
  ['./express', () => import('../express.ts'), ['callOf', 'guard', 'revocations']],
  ['./fastify', () => import('../fastify.ts'), ['callOf', 'guard']],
  ['./fetch', () => import('../fetch.ts'), ['guard']],
  ['./forward-auth', () => import('../forward-auth.ts'), ['forwardAuth', 'httpCallOf']],
  ['./hono', () => import('../hono.ts'), ['guard']],
  [
    './nats',
    () => import('../nats.ts'),
    ['connectNats', 'natsClaims', 'natsPlace', 'natsRelayRevocations', 'natsRevocations'],
  ],
  [
    './node',
    () => import('../node.ts'),
    [
      'SERVER_OPTIONS',
      'answerClientError',
      'callOf',
      'guard',
      'limitPipelining',
      'revocations',
      'sharedAnswer',
    ],
  ],
])('%s exports this and nothing else', async (_name, entry, names) => {
  expect(Object.keys(await entry()).sort()).toEqual(names)
})
