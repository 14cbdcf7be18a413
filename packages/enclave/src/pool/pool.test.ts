import { afterEach, describe, expect, it, vi } from 'vitest'
import { FakeWorkers } from '../test/fake-workers.ts'
import { standIn } from '../test/stand-in.ts'
import type { Pool, PoolParts } from './pool.ts'
import { startPool } from './worker-pool.ts'

const open: Pool[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((pool) => pool.close()))
})

async function start(fake: FakeWorkers, size: number, parts: Partial<PoolParts> = {}): Promise<Pool> {
  const wasm = Promise.resolve(standIn)
  const pool = await startPool({
    ...{ plan: fake.plan, wasm, allowedHosts: [], patience: 60_000, timeout: 60_000, signal: undefined },
    ...parts,
    size,
  })
  open.push(pool)
  return pool
}

const texts = (count: number, name = 'i') => Array.from({ length: count }, (_, index) => `${name}${index}`)
const sizes = (fake: FakeWorkers) => fake.calls.map(({ input }) => input.invocations.length)
const cids = (results: readonly object[]) =>
  results.map((result) => ('cid' in result ? result.cid : undefined))

describe('a batch', () => {
  it('comes back in order, whichever worker finishes first, and reports progress', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 2)
    const progress: unknown[] = []
    const input = texts(200)
    const done = pool.validateBatch({ invocations: input }, { onProgress: (told) => progress.push(told) })
    expect(sizes(fake)).toEqual([64, 64, 64, 8])
    for (const call of (await fake.asked(4)).reverse()) call.answer()
    expect(cids(await done)).toEqual(input)
    expect(progress).toEqual([8, 72, 136, 200].map((count) => ({ done: count, total: 200 })))
  })

  it('without invocations is an empty list, and no worker is called', async () => {
    const fake = new FakeWorkers()
    expect(await (await start(fake, 1)).validateBatch({ invocations: [] })).toEqual([])
    expect(fake.calls).toEqual([])
  })

  it('keeps every worker at two chunks, the idlest first', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 2)
    const done = pool.validateBatch({ invocations: texts(256 * 6) })
    const [one, two] = fake.workers
    expect(fake.calls.map(({ worker }) => worker)).toEqual([one, two, one, two])
    fake.calls.find(({ worker }) => worker === two)?.answer()
    expect(fake.calls.map(({ worker }) => worker)).toEqual([one, one, two, two])
    await fake.answerAll()
    expect(await done).toHaveLength(256 * 6)
  })

  it('has the same checks and the same time in every chunk', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 2)
    const checks = { audience: 'did:key:zMe', skew: 0, seen: ['s'], revoked: ['r'], proofs: ['p'] }
    const done = pool.validateBatch({ invocations: texts(200), ...checks })
    const given = fake.calls.map(({ input: { invocations: _, ...given } }) => given)
    expect(given[0]).toEqual({ ...checks, now: expect.any(Number) })
    for (const each of given) expect(each).toEqual(given[0])
    await fake.answerAll()
    await done
    const then = pool.validateBatch({ invocations: ['a'], now: 5 })
    expect(fake.calls[0]?.input.now).toBe(5)
    await fake.answerAll()
    await then
  })

  it('marks the later of two with one CID as a replay, even if its chunk is answered first', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 2)
    const input = texts(192)
    for (const at of [10, 100, 190]) input[at] = 'same'
    for (const at of [20, 120]) input[at] = 'bad'
    const done = pool.validateBatch({ invocations: input })
    for (const call of (await fake.asked(3)).reverse()) call.answer()
    const results = await done
    expect(results[10]).toMatchObject({ valid: true, cid: 'same' })
    for (const at of [100, 190]) {
      expect(results[at]).toEqual({
        valid: false,
        error: { name: 'Replayed', why: 'CarriedOutBefore', message: expect.any(String), cid: 'same' },
      })
    }
    for (const at of [20, 120]) expect(results[at]).toMatchObject({ error: { name: 'Expired' } })
    expect(results.filter(({ valid }) => valid)).toHaveLength(192 - 4)
  })

  it('is also split by length of text, and into fewer chunks if there is much to check against', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 4)
    const long = (length: number) => 'x'.repeat(length)
    const invocations = [long(100), long(300_000), long(100), long(200_000), long(100_000)]
    const done = pool.validateBatch({ invocations })
    expect(sizes(fake)).toEqual([1, 1, 2, 1])
    await fake.answerAll()
    await done
    const again = pool.validateBatch({ invocations, proofs: [long(550_000)] })
    expect(sizes(fake)).toEqual([4, 1])
    await fake.answerAll()
    await again
  })

  it('asks again, in halves, if a call had no work left', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 1)
    const progress: unknown[] = []
    const input = texts(40)
    input[30] = input[3] ?? ''
    const done = pool.validateBatch({ invocations: input }, { onProgress: ({ done }) => progress.push(done) })
    const [whole] = await fake.asked(1)
    const valid = (cid: string) => ({ valid: true, cid })
    const refused = { valid: false, error: { name: 'TooMuchWork', message: 'too much' } }
    whole?.answer({ results: input.map((cid, at) => (at % 10 === 3 ? refused : valid(cid))) })
    const [first, second] = await fake.asked(2)
    expect(first?.input.invocations).toEqual(['i3', 'i13'])
    expect(second?.input.invocations).toEqual(['i23', 'i33'])
    second?.answer()
    first?.answer({ results: [valid('i3'), refused] })
    const [alone] = await fake.asked(1)
    expect(alone?.input.invocations).toEqual(['i13'])
    // If it's too much alone, that is the answer.
    alone?.answer({ results: [refused] })
    const results = await done
    expect(results[13]).toEqual(refused)
    // The earlier one was answered later: the later one in the list counts as the replay.
    expect(results[3]).toEqual(valid('i3'))
    expect(results[30]).toMatchObject({ error: { name: 'Replayed' } })
    expect(results.filter(({ valid }) => valid)).toHaveLength(40 - 2)
    expect(progress).toEqual([36, 38, 39, 40])
  })

  it('may overlap with others', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 1)
    const batches = ['a', 'b', 'c'].map((name) => pool.validateBatch({ invocations: texts(70, name) }))
    await fake.answerAll()
    expect((await Promise.all(batches)).map(cids)).toEqual([texts(70, 'a'), texts(70, 'b'), texts(70, 'c')])
  })
})

describe('a batch that cannot be validated', () => {
  it('rejects if the plugin refuses it, with its code and what it is about', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 1)
    const done = pool.validateBatch({ invocations: texts(200), revoked: ['what'] })
    const refusal = { error: 'revoked[0] must be a CID.', code: 'OPERATION_FAILED', name: 'MalformedToken' }
    fake.calls[0]?.answer(refusal)
    await expect(done).rejects.toMatchObject({
      name: 'EnclaveError',
      code: 'OPERATION_FAILED',
      message: 'revoked[0] must be a CID.',
      details: { code: 'OPERATION_FAILED', name: 'MalformedToken' },
    })
    const next = pool.validateBatch({ invocations: ['a'] })
    await fake.answerAll()
    expect(cids(await next)).toEqual(['a'])
  })

  it.each([
    ['the plugin traps', undefined],
    ['there are too few results', { results: [] }],
    ['a result is invalid', { results: [{ valid: true }] }],
    ['it is not an answer', 'hello'],
  ])('rejects if %s', async (_, output) => {
    const fake = new FakeWorkers()
    const done = (await start(fake, 1)).validateBatch({ invocations: ['a'] })
    if (output === undefined) fake.calls[0]?.fail('The enclave failed in validate_batch: unreachable')
    else fake.calls[0]?.answer(output)
    await expect(done).rejects.toMatchObject({ name: 'EnclaveError', code: 'OPERATION_FAILED' })
  })

  it('rejects if an invocation is not text, without calling a worker', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 1)
    const invocations: string[] = JSON.parse('["a", 7]')
    await expect(pool.validateBatch({ invocations })).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      details: { index: 1 },
    })
    expect(fake.calls).toEqual([])
  })

  it('rejects with what its progress listener throws', async () => {
    const fake = new FakeWorkers()
    const reason = new Error('not now')
    const pool = await start(fake, 1)
    const options = {
      onProgress: () => {
        throw reason
      },
    }
    const done = pool.validateBatch({ invocations: ['a'] }, options)
    fake.calls[0]?.answer()
    await expect(done).rejects.toBe(reason)
  })

  it('rejects after its timeout and ends the worker; the next one does what was waiting', async () => {
    vi.useFakeTimers()
    const fake = new FakeWorkers()
    const pool = await start(fake, 1, { patience: 30_000 })
    const hung = pool.validateBatch({ invocations: ['a'] })
    const behind = pool.validateBatch({ invocations: ['b'] })
    vi.advanceTimersByTime(30_000)
    await expect(hung).rejects.toMatchObject({ code: 'TIMEOUT', details: { timeout: 30_000 } })
    expect(fake.workers[0]?.ended).toBe(true)
    ;(await fake.asked(1))[0]?.answer()
    expect(cids(await behind)).toEqual(['b'])
  })
})

describe('an abort', () => {
  it('rejects at once with its reason, ends the workers involved, and leaves the pool usable', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 2)
    const caller = new AbortController()
    const done = pool.validateBatch({ invocations: texts(2000) }, { signal: caller.signal })
    const reason = new Error('enough')
    caller.abort(reason)
    await expect(done).rejects.toBe(reason)
    expect(fake.workers.map(({ ended }) => ended)).toEqual([true, true])
    const next = pool.validateBatch({ invocations: ['a', 'b'] })
    ;(await fake.asked(1))[0]?.answer()
    expect(cids(await next)).toEqual(['a', 'b'])
  })

  it('of one batch does not affect another, even if they shared a worker', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 1)
    const caller = new AbortController()
    const given = pool.validateBatch({ invocations: ['a'] }, { signal: caller.signal })
    const answered = pool.validateBatch({ invocations: ['b'] })
    caller.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    ;(await fake.asked(1))[0]?.answer()
    expect(cids(await answered)).toEqual(['b'])
  })

  it('that came before calls no worker', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 1)
    const reason = new Error('enough')
    await expect(
      pool.validateBatch({ invocations: ['a'] }, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    expect(fake.calls).toEqual([])
  })

  it('of the start rejects with its reason, and ends what had started', async () => {
    const fake = new FakeWorkers()
    const caller = new AbortController()
    const wasm = new Promise<never>((_, reject) => {
      caller.signal.addEventListener('abort', () => reject(caller.signal.reason))
    })
    const starting = start(fake, 2, { signal: caller.signal, wasm })
    const reason = new Error('enough')
    caller.abort(reason)
    await expect(starting).rejects.toBe(reason)
    expect(fake.workers.every(({ ended }) => ended)).toBe(true)
  })
})

describe('a worker that dies', () => {
  it('is replaced, and its chunks are done by others', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 2)
    const input = texts(256)
    const done = pool.validateBatch({ invocations: input })
    fake.workers[0]?.die()
    await fake.asked(4)
    expect(fake.workers).toHaveLength(3)
    await fake.answerAll()
    expect(cids(await done)).toEqual(input)
  })

  it('twice on one chunk ends that batch, and no other', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 1)
    const fatal = pool.validateBatch({ invocations: ['fatal'] })
    const behind = pool.validateBatch({ invocations: ['behind'] })
    fake.workers[0]?.die()
    await fake.asked(2)
    fake.workers[1]?.die()
    await expect(fatal).rejects.toMatchObject({
      name: 'EnclaveError',
      code: 'OPERATION_FAILED',
      message: 'A worker of the pool is gone: it was killed.',
    })
    ;(await fake.asked(1))[0]?.answer()
    expect(cids(await behind)).toEqual(['behind'])
  })

  it('while idle is replaced when there is work', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 1)
    fake.workers[0]?.die()
    const done = pool.validateBatch({ invocations: ['a'] })
    ;(await fake.asked(1))[0]?.answer()
    expect(cids(await done)).toEqual(['a'])
  })

  it('and cannot be replaced leaves the work to the others', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 2)
    fake.failing.push(true)
    const done = pool.validateBatch({ invocations: texts(70) })
    fake.workers[0]?.die()
    await fake.asked(2)
    await fake.answerAll()
    expect(cids(await done)).toEqual(texts(70))
  })

  it('and cannot be replaced rejects if it was the last; the next batch tries again', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 1)
    fake.failing.push(true)
    const done = pool.validateBatch({ invocations: ['a'] })
    fake.workers[0]?.die()
    await expect(done).rejects.toThrow('no more threads')
    const next = pool.validateBatch({ invocations: ['a'] })
    ;(await fake.asked(1))[0]?.answer()
    expect(cids(await next)).toEqual(['a'])
  })
})

describe('a pool', () => {
  it.each([0, -1, 1.5, Number.NaN])('cannot have %d workers', async (size) => {
    await expect(start(new FakeWorkers(), size)).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
  })

  it('fails to start if one worker does, and leaves none behind', async () => {
    const fake = new FakeWorkers()
    fake.failing.push(false, true)
    await expect(start(fake, 2)).rejects.toThrow('no more threads')
    expect(fake.workers.every(({ ended }) => ended)).toBe(true)
  })

  it('rejects batches in flight and later ones when closed, and ends its workers', async () => {
    const fake = new FakeWorkers()
    const pool = await start(fake, 2)
    const done = pool.validateBatch({ invocations: ['a'] })
    await pool.close()
    await expect(done).rejects.toMatchObject({ code: 'OPERATION_FAILED', message: 'The pool is closed.' })
    await expect(pool.validateBatch({ invocations: ['a'] })).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
    expect(fake.workers.map(({ ended }) => ended)).toEqual([true, true])
    await pool.close()
  })
})
