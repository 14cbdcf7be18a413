import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEnclave } from '@keyhole/enclave'
import { VerifyError } from '@keyhole/verify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { container, delegation, revocation } from '../../../enclave/src/test/naive-tokens.ts'
import { open, owner, stranger } from '../test/parts.ts'
import { grantReader, type ReadGrantsOptions } from './read-grants.ts'

const grant = delegation(owner, stranger, { cmd: '/mcp/tools/call' })
const text = container([grant])
const revoked = container([revocation(owner, grant)])

let enclave: Awaited<ReturnType<typeof createEnclave>>
beforeAll(async () => {
  enclave = await createEnclave({ keyless: true })
})
afterAll(() => enclave.close())

/** Writes down what the enclave gets, and how many texts it has at once. */
function watched(revocations: ReadGrantsOptions['revocations'] = { find: () => [] }) {
  const given: string[] = []
  const errors: unknown[] = []
  let now = 0
  let most = 0
  const read = grantReader({
    enclave: {
      async call(name, ...input) {
        now += 1
        most = Math.max(most, now)
        given.push(String(Object(input[0]).token))
        return await enclave.call(name, ...input).finally(() => {
          now -= 1
        })
      },
    },
    revocations,
    owners: [owner.did],
    onError: (error) => errors.push(error),
    clock: Date.now,
  })
  return { read, given, errors, most: () => most }
}

it('reads the grants of the owners, and no other text', async () => {
  const { read } = watched()
  const others = container([delegation(stranger, owner, { cmd: '/mcp' })])
  expect(await read([others, 'x', text, ''])).toEqual([{ command: '/mcp/tools/call', policy: [] }])
})

it('reads one text at a time, of all networks in turn', async () => {
  const { read, given, most } = watched()
  const junk = Array.from({ length: 4 }, (_, at) => `junk ${at}`)
  const bad = (at: number) => read([...junk], at < 2 ? '192.0.2.1' : `2001:db8::${at}`)
  const [found] = await Promise.all([bad(0), bad(1), bad(2), bad(3)]).then(async (lists) => {
    expect(lists.flat()).toEqual([])
    given.length = 0
    return await Promise.all([read([text], '192.0.2.2'), bad(0), bad(1), bad(2), bad(3)])
  })
  expect(found).toHaveLength(1)
  expect(most()).toBe(1)
  expect(given.indexOf(text)).toBe(0)
})

it('gives each list of a network its turn, whatever the others are', async () => {
  const { read, given } = watched()
  let isOver = false
  const flood = async () => {
    while (!isOver) await read(Array(64).fill('x'), '192.0.2.1')
  }
  const floods = [flood(), flood()]
  expect(await read(['y', text], '192.0.2.1')).toHaveLength(1)
  isOver = true
  expect(given.indexOf(text)).toBeLessThan(10)
  await Promise.all(floods)
})

it("spares whom an owner's grants are of, not who signed a chain for itself", async () => {
  const { read, given } = watched()
  const own = container([delegation(stranger, stranger, { cmd: '/' })])
  await read([own, own, own], '192.0.2.1')
  await read([text], '192.0.2.2')
  given.length = 0
  // The first is read at once; the rest have to wait.
  await Promise.all([read(['x']), read([own], '192.0.2.1'), read([text], '192.0.2.2')])
  expect(given).toEqual(['x', text, own])
})

it('reads for others first, however many lists one network asks for, and refuses the most of them', async () => {
  const { read, given, errors } = watched()
  const asked = Array.from({ length: 300 }, (_, at) => read([`${'x'.repeat(at)}`, 'y'], '192.0.2.1'))
  const outcomes = Promise.allSettled(asked)
  expect(await read([text], '192.0.2.2')).toHaveLength(1)
  expect(given.indexOf(text)).toBeLessThan(3)
  const refused = (await outcomes).filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(200)
  await expect(asked.at(-1)).rejects.toMatchObject({ code: 'Busy' })
  expect(errors).toEqual([])
})

it('reads a list once that several servers are asked with at once', async () => {
  const { read, given } = watched()
  const texts = [text]
  const found = await Promise.all([read(texts), read(texts)])
  expect(found.map(({ length }) => length)).toEqual([1, 1])
  expect(given).toEqual([text])
  // Later it may have been revoked.
  await read(texts)
  expect(given).toHaveLength(2)
})

it('reads no text that is longer than a token, and at most 64', async () => {
  const { read, given } = watched()
  const long = `C${'A'.repeat(49_152)}`
  expect(await read([...Array.from({ length: 70 }, () => long), text])).toHaveLength(1)
  expect(given).toEqual([text])
  await read(Array.from({ length: 70 }, () => 'x'))
  expect(given).toHaveLength(65)
})

it('leaves out a grant that was revoked by whoever may', async () => {
  expect(await watched({ find: () => [revoked] }).read([text])).toEqual([])
  const others = container([revocation(stranger, grant)])
  expect(await watched({ find: () => [others] }).read([text])).toHaveLength(1)
})

it('refuses while it is unknown what was revoked, without saying more', async () => {
  const find = () => {
    throw new VerifyError('REVOCATIONS_UNKNOWN', 'The revocations in /secret/place are unknown.')
  }
  const { read, errors } = watched({ find })
  const refusal = await read([text]).catch((error) => error)
  expect(refusal).toMatchObject({ code: 'Unavailable' })
  expect(refusal.message).not.toContain('secret')
  expect(errors).toHaveLength(1)
  // Who shows nothing of an owner's learns nothing either.
  expect(await read(['x'])).toEqual([])
})

it('has the server behind a gate not asked for a list, once the grant is revoked', async () => {
  const { gate, data } = await open({ gone: { command: '/nowhere', paths: [] } })
  const server = gate.servers.get('gone')
  await expect(server?.list('tools', [text])).rejects.toMatchObject({ code: 'SERVER_FAILED' })
  await mkdir(join(data, 'revocations'), { recursive: true })
  await writeFile(join(data, 'revocations', 'a.token'), revoked)
  expect(await server?.list('tools', [text])).toEqual([])
  expect(await server?.watch?.('test://a', [text], () => {})).toBeUndefined()
})
