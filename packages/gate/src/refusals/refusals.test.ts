// What is left in the log of calls whose invocation was refused.
import { createEnclave } from '@keyhole/enclave'
import { describe, expect, it } from 'vitest'
import {
  container,
  delegation,
  invocation,
  person,
  revocation,
} from '../../../enclave/src/test/naive-tokens.ts'
import type { Entry } from '../receipts/read-log.ts'
import { hostileServer, type Opened, open, owner, receipts, SECRET, stranger } from '../test/parts.ts'
import { toValue } from '../test/signed.ts'
import { MOST_LINES, refusalLines } from './refusal-lines.ts'
import type { RefusedCall } from './refused-calls.ts'

const HOUR = 3_600_000
const friend = person(3)
const soon = () => BigInt(Math.floor(Date.now() / 1_000) + 60)
const ECHO = { server: 'bad', name: 'echo', arguments: { how: 'my private text' } }

/** A call by the stranger, under a grant. */
function callOf({ gate }: Opened, grant = granted(), changes: object = {}, args: object = ECHO) {
  const fields = { cmd: '/mcp/tools/call', aud: gate.did, exp: soon(), args: toValue(args) as never }
  return container([grant, invocation(stranger, owner, [grant], { ...fields, ...changes })])
}

const granted = (changes: object = {}) => delegation(owner, stranger, { cmd: '/mcp/tools/call', ...changes })

/** Sends a call. @returns why it was refused */
async function refusalOf({ gate }: Opened, token: string): Promise<unknown> {
  const server = gate.servers.get('bad')
  return await server?.call(token).then(
    () => undefined,
    (error) => error.code,
  )
}

/** All lines of a gate's log, after it was closed. */
async function linesAfter(opened: Opened): Promise<readonly Entry[]> {
  await opened.gate.close()
  return await receipts(opened)
}

describe('a call that the verifier refuses', () => {
  it('has a line with a signed receipt, whatever is wrong with its grant', async () => {
    const opened = await open({ bad: hostileServer() })
    const grants = {
      Expired: granted({ exp: 1_000n }),
      MatchError: granted({ pol: toValue([['==', '.name', 'other']]) }),
      InvalidCommand: granted({ cmd: '/mcp/prompts/get' }),
      Revoked: granted(),
      LivesTooLong: granted(),
    }
    await opened.gate.revoke(container([revocation(owner, grants.Revoked)]))
    for (const [code, grant] of Object.entries(grants)) {
      const changes = code === 'LivesTooLong' ? { exp: null } : {}
      expect(await refusalOf(opened, callOf(opened, grant, changes))).toBe(code)
    }
    const lines = await linesAfter(opened)
    expect(lines.map(({ outcome, grants: [first] }) => [outcome, first])).toEqual(
      Object.entries(grants).map(([code, { cid }]) => [code, cid]),
    )
    const enclave = await createEnclave({ keyless: true })
    for (const { receipt = '', call, outcome, ...rest } of lines) {
      const about = { server: 'bad', name: 'echo', issuer: stranger.did, subject: owner.did }
      expect(rest).toMatchObject({ ...about, command: '/mcp/tools/call' })
      expect(await enclave.call('inspect_token', { token: receipt })).toMatchObject({
        tokens: [
          {
            signature_valid: true,
            payload: {
              iss: opened.gate.did,
              args: { about: { '/': call }, facts: { out: { error: { code: outcome } } } },
            },
          },
        ],
      })
    }
    await enclave.close()
    expect(JSON.stringify(lines)).not.toContain('my private text')
  })

  it('that was used before has a line beside the one of the call that was carried out', async () => {
    const opened = await open({ bad: hostileServer() })
    const token = callOf(opened)
    expect(await refusalOf(opened, token)).toBeUndefined()
    expect(await refusalOf(opened, token)).toBe('Replayed')
    const [done, refused, ...others] = await linesAfter(opened)
    expect(others).toEqual([])
    expect([done?.outcome, refused?.outcome]).toEqual(['ok', 'Replayed'])
    expect(done?.call).toBe(refused?.call)
    expect(done?.receipt).not.toBe(refused?.receipt)
  })

  it('is counted, and not written down each time', async () => {
    const opened = await open({ bad: hostileServer() })
    const [one, other] = [granted({ exp: 1_000n }), granted({ exp: 1_000n })]
    for (let at = 0; at < 20; at += 1) expect(await refusalOf(opened, callOf(opened, one))).toBe('Expired')
    expect(await refusalOf(opened, callOf(opened, other))).toBe('Expired')
    const lines = await linesAfter(opened)
    expect(lines.map(({ grants: [cid], count }) => [cid, count])).toEqual([
      [one.cid, undefined],
      [other.cid, undefined],
      [one.cid, 19],
    ])
    expect(lines.at(-1)?.receipt).toBeDefined()
  })

  it('has none if anyone could have made it', async () => {
    const opened = await open({ bad: hostileServer() })
    const grant = granted({ exp: 1_000n })
    const by = (who: typeof owner, subject: typeof owner, ...proofs: (typeof grant)[]) =>
      container([
        ...proofs,
        invocation(who, subject, proofs, { cmd: '/mcp/tools/call', aud: opened.gate.did, exp: soon() }),
      ])
    const good = callOf(opened, grant)
    const made = [
      'nonsense',
      'x'.repeat(100_000),
      good.slice(0, -8),
      // Without a grant, and about their own.
      by(stranger, owner),
      by(stranger, stranger),
      // Under someone else's grant, and under one of their own.
      by(friend, owner, grant),
      by(friend, owner, delegation(friend, friend, { cmd: '/mcp/tools/call', sub: owner.did })),
      by(friend, owner, delegation(stranger, friend, { cmd: '/mcp/tools/call', sub: owner.did })),
      // The grant is missing.
      container([invocation(stranger, owner, [grant], { aud: opened.gate.did, exp: soon() })]),
      // For another gate.
      callOf(opened, grant, { aud: friend.did }),
    ]
    for (const token of made) expect(await refusalOf(opened, token)).toEqual(expect.any(String))
    expect(await linesAfter(opened)).toEqual([])
    expect(opened.errors).toEqual([])
  })

  it('has one under a grant that was passed on, and one of the owner’s own', async () => {
    const opened = await open({ bad: hostileServer() })
    const root = granted()
    const narrowed = delegation(stranger, friend, { cmd: '/mcp/tools/call', sub: owner.did, exp: 1_000n })
    const fields = { cmd: '/mcp/tools/call', aud: opened.gate.did }
    const proofs = [root, narrowed]
    const passed = container([...proofs, invocation(friend, owner, proofs, { ...fields, exp: soon() })])
    expect(await refusalOf(opened, passed)).toBe('Expired')
    const own = container([invocation(owner, owner, [], { ...fields, exp: 1_000n })])
    expect(await refusalOf(opened, own)).toBe('Expired')
    expect(await linesAfter(opened)).toMatchObject([
      { issuer: friend.did, subject: owner.did, grants: [root.cid, narrowed.cid] },
      { issuer: owner.did, subject: owner.did, grants: [] },
    ])
  })

  it('shows no credential, and no more of a long name than fits', async () => {
    const opened = await open({ bad: hostileServer() })
    const grant = granted({ exp: 1_000n })
    const named = (name: string) => callOf(opened, grant, {}, { ...ECHO, name })
    await refusalOf(opened, named(`${SECRET}${'é'.repeat(5_000)}`))
    const [line] = await linesAfter(opened)
    expect(line?.name).toMatch(/^\[credential removed\]é+$/)
    expect(line?.name).toHaveLength(500)
  })
})

describe('lines of refused calls', () => {
  const of = (grant: string, outcome = 'Revoked'): RefusedCall => ({
    ...{ owner: owner.did, issuer: stranger.did, grants: [grant], call: `call of ${grant}` },
    ...{ command: '/mcp/tools/call', args: {}, token: '', server: 'bad', outcome },
  })

  function begin(append?: () => Promise<void>) {
    const written: Entry[] = []
    const errors: unknown[] = []
    let now = 0
    const lines = refusalLines({
      log: {
        append: async (entry) => {
          written.push(entry)
          await append?.()
        },
      },
      redactor: { text: (text) => text },
      onError: (error) => errors.push(error),
      clock: () => 1_700_000_000_000 + now,
      monotonic: () => now,
    })
    const pass = (milliseconds: number) => {
      now += milliseconds
    }
    return { lines, written, errors, pass }
  }

  it('come at once, and then once an hour with a count', async () => {
    const { lines, written, pass } = begin()
    for (let at = 0; at < 10_000; at += 1) {
      pass(1)
      lines.add(of('a'))
    }
    lines.add(of('a', 'Expired'))
    expect(written.map(({ outcome, count }) => [outcome, count])).toEqual([
      ['Revoked', undefined],
      ['Expired', undefined],
    ])
    pass(HOUR)
    lines.add(of('b'))
    expect(written.slice(2)).toMatchObject([
      {
        count: 9_999,
        since: new Date(1_700_000_000_002).toISOString(),
        at: new Date(1_700_000_010_000).toISOString(),
      },
      { grants: ['b'] },
    ])
    lines.add(of('a'))
    // It went on, so it is counted again. The other one did not.
    lines.add(of('a', 'Expired'))
    expect(written.slice(4)).toMatchObject([{ outcome: 'Expired' }])
    await lines.close()
    expect(written.slice(5)).toMatchObject([{ grants: ['a'], outcome: 'Revoked', count: 1 }])
  })

  it('are at most so many, however many grants there are, and it is told once that some are left out', async () => {
    const { lines, written, errors, pass } = begin()
    for (let at = 0; at < MOST_LINES + 100; at += 1) lines.add(of(`grant ${at}`))
    expect(written).toHaveLength(MOST_LINES)
    expect(errors).toHaveLength(1)
    pass(HOUR)
    lines.add(of('another'))
    expect(written).toHaveLength(MOST_LINES + 1)
    await lines.close()
  })

  it('that can not be written are told, and no oftener than they are due', async () => {
    const { lines, errors } = begin(async () => {
      throw new Error('The disk is full.')
    })
    for (let at = 0; at < 1_000; at += 1) lines.add(of('a'))
    await lines.close()
    expect(errors).toHaveLength(2)
  })
})
