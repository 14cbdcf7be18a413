// What a gate writes to introduce itself, held against the vault's reader: neither package knows the other.
import { expect, it } from 'vitest'
import { introductionText } from '../packages/gate/src/introduction/introduction.ts'
import { introductionOf } from '../packages/vault/src/services/introduction.ts'

const tool = (name) => ({ name, description: name, schema: { type: 'object', properties: {} }, paths: [] })
const resource = (uri) => ({ uri, name: uri, description: uri })
const written = (server) =>
  introductionText({
    name: 'Office',
    at: 1_800_000_000,
    servers: [{ name: 'odd', tools: [tool('one')], ...server }],
    services: [{ name: 'github', methods: ['GET'], paths: ['/repos/*'] }],
  })

const long = 'x'.repeat(2_000)
const uri = (at) => `doc://${at}`
const ODD = {
  'nothing odd': { prompts: [tool('a')], resources: [resource(uri(1))] },
  'tools without a name, or with the same': { tools: ['', 'one', 'one'].map(tool) },
  'prompts without a name, or with the same': { prompts: ['', 'a', 'b', 'a'].map(tool) },
  'resources without a URI, or with the same': { resources: ['', uri(1), uri(2), uri(1)].map(resource) },
  'templates without a URI, or with the same': {
    templates: ['', 'doc://{a}', 'doc://{b}/x', 'doc://{a}'].map(resource),
  },
  'long names': { tools: [tool(long)], prompts: [tool(long)], resources: [resource(`doc://${long}`)] },
  'long names of half letters': { prompts: [tool('\ud800'.repeat(128)), tool('👩'.repeat(100))] },
  'too many': {
    tools: Array.from({ length: 300 }, (_, at) => tool(`tool${at}`)),
    prompts: Array.from({ length: 300 }, (_, at) => tool(`prompt${at}`)),
    resources: Array.from({ length: 300 }, (_, at) => resource(uri(at))),
    templates: Array.from({ length: 300 }, (_, at) => resource(`${uri(at)}/{part}`)),
    suggest: Array.from({ length: 60 }, (_, at) => `/home/${at}/*`),
  },
}

it.each(Object.entries(ODD))('can be read by a vault: %s', (_name, server) => {
  expect(introductionOf(written(server))).toMatchObject({ name: 'Office', servers: [{ name: 'odd' }] })
})
