// Runs docs/guides/your-service.md as it is printed.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { createHolder, memoryStore } from '@keyhole/holder'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { embeddedClaims, embeddedRevocations } from '../embedded.ts'
import * as forExpress from '../express.ts'
import * as forFastify from '../fastify.ts'
import * as forFetch from '../fetch.ts'
import * as forHono from '../hono.ts'
import { createVerifier, type Verifier, type VerifierOptions } from '../index.ts'
import { SERVER_OPTIONS } from '../node.ts'
import { container, delegation, invocation, owner, revocationText, stranger } from './calls.ts'

const PROGRAMS = ['Express', 'Hono', 'Fastify', 'Next']
const guide = await readFile(new URL('../../../../docs/guides/your-service.md', import.meta.url), 'utf8')
const blocks = [...guide.matchAll(/^```js\n([\s\S]+?)^```/gm)].map(([, code = '']) =>
  code
    .replaceAll(/^import .+$/gm, '')
    .replaceAll(/^export /gm, '')
    .replaceAll('did:key:OWNER', owner.did),
)

/** Runs a program with what it imports. @returns the value of one of its names */
async function run(code: string, result: string, given: Readonly<Record<string, unknown>>): Promise<unknown> {
  return await new Function(...Object.keys(given), `return (async () => {${code}\nreturn ${result}})()`)(
    ...Object.values(given),
  )
}

it('has a program for each framework, and one that calls it', () => {
  expect(blocks).toHaveLength(PROGRAMS.length + 1)
})

it.each([
  ['Express', 0, forExpress, 'server'],
  ['Hono', 1, forHono, 'server'],
  ['Fastify', 2, forFastify, 'server'],
  // Next itself runs it in scripts/checks/elsewhere-check.mjs.
  [
    'Next',
    3,
    forFetch,
    "serve({ fetch: POST, port: 0, hostname: '127.0.0.1', serverOptions: SERVER_OPTIONS })",
  ],
] as const)(
  '%s lets an agent in by its grant, and no one else',
  async (name, at, framework, served) => {
    const folder = await mkdtemp(join(tmpdir(), 'keyhole-guide-'))
    const claims = embeddedClaims(join(folder, 'claims'))
    const revocations = embeddedRevocations(join(folder, 'revocations'))
    let verifier: Verifier | undefined
    const server = (await run(blocks[at]?.replace('4290', '0') ?? '', served, {
      express,
      fastify,
      Hono,
      serve,
      SERVER_OPTIONS,
      embeddedClaims: () => claims,
      embeddedRevocations: () => revocations,
      async createVerifier(options: VerifierOptions) {
        verifier = await createVerifier(options)
        return verifier
      },
      ...framework,
    })) as Server
    if (!server.listening) await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    const holder = createHolder({ store: memoryStore() })
    const grant = delegation(
      owner,
      { ...stranger, did: await holder.did() },
      { cmd: '/notes', pol: [['==', '.folder', 'recipes']] },
    )
    await holder.add(container([grant]))
    const call = async (code = blocks[PROGRAMS.length] ?? '') =>
      await run(code.replace('http://127.0.0.1:4290', url), '[response.status, text]', {
        createHolder: () => holder,
        defaultStore: () => undefined,
      })
    expect(await call()).toEqual([200, 'Notes in recipes'])

    const post = async (token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(`${url}/notes`, { method: 'POST', headers })
      return [response.status, await response.json()]
    }
    expect(await post()).toMatchObject([401, {}])
    const exp = BigInt(Math.floor(Date.now() / 1_000) + 60)
    const fields = { cmd: '/notes/read', aud: owner.did, args: new Map([['folder', 'diary']]), exp }
    expect(await post(container([invocation(stranger, owner, [], fields)]))).toMatchObject([
      403,
      {
        request: {
          command: '/notes/read',
          policy: [['==', '.', { folder: 'diary' }]],
          vault: 'https://vault.example',
        },
      },
    ])

    if (name === 'Express') {
      const delivered = await fetch(`${url}/revocations`, {
        method: 'POST',
        body: revocationText(owner, grant),
      })
      expect(delivered.ok).toBe(true)
      expect(await call()).toEqual([403, expect.stringContaining('Revoked')])
    }
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
    await verifier?.close()
    await claims.close()
    await revocations.close()
    await rm(folder, { recursive: true })
  },
  60_000,
)
