import { expect, it } from 'vitest'
import * as api from './index.ts'

it('exports this and nothing else', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ConnectError',
    'requestCapability',
    'requestLink',
    'requestPayment',
    'requestText',
  ])
})
