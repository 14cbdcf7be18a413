import { expect, it } from 'vitest'
import { person } from '../../../enclave/src/test/naive-tokens.ts'
import { readConfig } from './config.ts'

const good = { owners: [person(1).did], vault: 'https://vault.example' }
const service = (changes: object) => ({
  ...good,
  services: { api: { url: 'https://api.example', ...changes } },
})

it.each([
  ['nothing', undefined, 'the file: is missing'],
  ['a list', [], 'the file: must be an object'],
  ['an empty object', {}, 'owners: is missing; vault: is missing'],
  ['a misspelt setting', { ...good, sevices: {} }, 'the file: there is no setting “sevices” here'],
  ['one owner without a list', { ...good, owners: good.owners[0] }, 'owners: must be a list'],
  [
    'an owner that is cut off',
    { ...good, owners: ['did:key:z6Mk'] },
    'owners.0: must be a whole DID, such as did:key:z6Mk…, as a vault shows it',
  ],
  [
    'too many owners',
    { ...good, owners: Array(101).fill(good.owners[0]) },
    'owners: must have at most 100 entries',
  ],
  ['a vault that is not a URL', { ...good, vault: 'vault' }, 'vault: must be a URL with http or https'],
  ['too small a number', { ...good, freshness: 5 }, 'freshness: must be at least 15'],
  ['a fraction', { ...good, freshness: 20.5 }, 'freshness: must be a whole number'],
  ['a number as text', { ...good, freshness: '20' }, 'freshness: must be a number'],
  ['a relay that is null', { ...good, relay: null }, 'relay: must be a text'],
  [
    'a server with spaces in its name',
    { ...good, servers: { 'a b': { command: 'x' } } },
    'servers.a b: this name is not allowed',
  ],
  [
    'an unknown method',
    service({ methods: ['GOT'] }),
    'services.api.methods.0: must be one of GET, HEAD, POST, PUT, PATCH, DELETE',
  ],
  [
    'a header that the gate writes',
    service({ headers: { host: 'x' } }),
    'services.api.headers.host: a header that the gate writes itself',
  ],
  [
    'a header of two lines',
    service({ headers: { a: 'b\nc' } }),
    'services.api.headers.a: has a form that is not allowed',
  ],
])('%s: says where and what is wrong', (_name, config, said) => {
  const message = `The configuration is wrong. ${said}.`
  expect(() => readConfig(config)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', message }))
})
