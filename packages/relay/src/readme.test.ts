import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as embedded from './embedded.ts'
import * as entry from './index.ts'
import * as node from './node.ts'
import type { Relay } from './relay.ts'
import type { RelayStore } from './stores/store.ts'

it("the README's first example runs, and is a relay", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-relay-'))
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const [, example = ''] = /^```js\n([\s\S]+?)^```/m.exec(readme) ?? []
  const server = createServer()
  let store: RelayStore | undefined
  let relay: Relay | undefined
  const run = new Function(
    'createServer',
    'createRelay',
    'embeddedStore',
    'relayListener',
    'console',
    `return (async () => {${example.replaceAll(/^import .+$/gm, '').replace('4280', '0')}})()`,
  )
  const said = new Promise((resolve) => {
    void run(
      (listener: Parameters<typeof server.on>[1]) => server.on('request', listener),
      async (options: Parameters<typeof entry.createRelay>[0]) => {
        relay = await entry.createRelay(options)
        return relay
      },
      () => {
        store = embedded.embeddedStore(join(folder, 'data'))
        return store
      },
      node.relayListener,
      { log: resolve },
    )
  })
  expect(await said).toBe('http://127.0.0.1:4280/relay')
  const { port } = server.address() as AddressInfo
  expect((await fetch(`http://127.0.0.1:${port}/relay/revocations`)).status).toBe(401)
  await relay?.close()
  await store?.close()
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
  await rm(folder, { recursive: true })
})
