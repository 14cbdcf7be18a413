import { expect, it } from 'vitest'
import * as api from './index.ts'
import * as react from './react.tsx'

it('exports this and nothing else', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ConnectError',
    'connect',
    'connectByRedirect',
    'createConnector',
    'pageHolder',
    'requestCapability',
    'requestLink',
    'requestPayment',
    'requestText',
    'resumeConnection',
  ])
  expect(Object.keys(react).sort()).toEqual(['ConnectButton', 'useConnection'])
})
