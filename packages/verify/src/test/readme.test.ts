import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as embedded from '../embedded.ts'
import * as entry from '../index.ts'
import * as node from '../node.ts'
import type { Verifier } from '../verifier.ts'
import { container, delegation, friend, invocation, owner } from './calls.ts'

it("the README's first example runs, and lets one call through", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhole-verify-'))
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const [, example = ''] = /^```js\n([\s\S]+?)^```/m.exec(readme) ?? []
  let server = undefined as Server | undefined
  let verifier: Verifier | undefined
  const opened: { close(): Promise<void> }[] = []
  const open = <Store extends { close(): Promise<void> }>(store: Store) => {
    opened.push(store)
    return store
  }
  const given = {
    createServer: (options: object, listener: RequestListener) => {
      server = createServer(options, listener)
      return server
    },
    createVerifier: async (options: entry.VerifierOptions) => {
      verifier = await entry.createVerifier(options)
      return verifier
    },
    embeddedClaims: () => open(embedded.embeddedClaims(join(folder, 'claims'))),
    embeddedRevocations: () => open(embedded.embeddedRevocations(join(folder, 'revocations'))),
    ...node,
  }
  const code = example.replaceAll(/^import .+$/gm, '').replace('4290,', '0,')
  const run = new Function(...Object.keys(given), 'console', `return (async () => {${code}})()`)
  const said = new Promise((resolve) => void run(...Object.values(given), { log: resolve }))
  expect(await said).toBe('http://127.0.0.1:4290/')

  const grant = delegation(owner, friend, { cmd: '/notes' })
  const exp = BigInt(Math.floor(Date.now() / 1_000) + 60)
  const fields = { cmd: '/notes/read', args: new Map([['folder', 'recipes']]), exp }
  const token = container([grant, invocation(friend, owner, [grant], fields)])
  if (!server) throw new Error('The example has no server.')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const ask = async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    return [response.status, await response.text()]
  }
  expect(await ask()).toEqual([200, 'Notes in recipes'])
  expect((await ask())[0]).toBe(401)

  await verifier?.close()
  for (const store of opened) await store.close()
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
  await rm(folder, { recursive: true })
})
