import { afterEach, describe, expect, it } from 'vitest'
import { EnclaveError } from '../errors.ts'
import { FakeWorkers, verdict } from '../test/fake-workers.ts'
import { standIn } from '../test/stand-in.ts'
import type { CallOptions, Enclave, ValidationChecks } from '../types.ts'
import { Remote } from './remote.ts'

const open: Remote[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((remote) => remote.close()))
})

async function start(): Promise<{ fake: FakeWorkers; enclave: Enclave }> {
  const fake = new FakeWorkers()
  const remote = new Remote({
    ...{ plan: fake.plan, wasm: Promise.resolve(standIn), account: undefined, allowedHosts: [] },
    ...{ timeout: 60_000, startTimeout: 60_000 },
  })
  open.push(remote)
  await remote.start()
  return { fake, enclave: remote }
}

const validate = (
  enclave: Enclave,
  invocation: string,
  checks: ValidationChecks = {},
  options: CallOptions = {},
) => enclave.callByName('validate_invocation', { invocation, ...checks }, options)

/** Calls without an answer: the function and the number of invocations. */
const asked = (fake: FakeWorkers) =>
  fake.calls.map(({ name, input }) => `${name} ${input.invocations.length}`)

const tooMuch = { valid: false, error: { name: 'TooMuchWork', message: 'Too much.', cid: null } }
const replayed = { valid: false, error: { name: 'Replayed', message: 'Again.', cid: 'one' } }

describe('the invocations of one turn', () => {
  it('share a call, and each caller gets its own answer', async () => {
    const { fake, enclave } = await start()
    const answers = ['one', 'bad two', 'three'].map((text) => validate(enclave, text))
    const [call] = await fake.asked(1)
    expect(asked(fake)).toEqual(['validate_batch 3'])
    call?.answer()
    expect(await Promise.all(answers)).toEqual(['one', 'bad two', 'three'].map(verdict))
  })

  it('that come while two shared calls run share the next one', async () => {
    const { fake, enclave } = await start()
    const pair = async (at: number, calls: number) => {
      const made = [`${at}a`, `${at}b`].map((text) => validate(enclave, text))
      await fake.asked(calls)
      await new Promise((resolve) => setImmediate(resolve))
      return made
    }
    const all = [await pair(1, 1), await pair(2, 2), await pair(3, 2), await pair(4, 2)].flat()
    expect(asked(fake)).toEqual(['validate_batch 2', 'validate_batch 2'])
    const [first] = fake.calls
    first?.answer()
    await fake.asked(2)
    expect(asked(fake)).toEqual(['validate_batch 2', 'validate_batch 4'])
    await fake.answerAll()
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4].flatMap((at) => [`${at}a`, `${at}b`].map(verdict)))
  })

  it('that wait are asked in the next worker, if theirs ends', async () => {
    const { fake, enclave } = await start()
    const all: Promise<unknown>[] = []
    for (const at of [1, 2, 3]) {
      all.push(...[`${at}a`, `${at}b`].map((text) => validate(enclave, text)))
      await fake.asked(Math.min(at, 2))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(asked(fake)).toEqual(['validate_batch 2', 'validate_batch 2'])
    fake.workers[0]?.die()
    await fake.asked(6)
    await fake.answerAll()
    expect(await Promise.all(all)).toEqual([1, 2, 3].flatMap((at) => [`${at}a`, `${at}b`].map(verdict)))
  })

  it('include those made in separate callbacks', async () => {
    const { fake, enclave } = await start()
    // Like requests that arrive at the same time.
    const answers = await new Promise<Promise<unknown>[]>((resolve) => {
      const made: Promise<unknown>[] = []
      for (const text of ['one', 'two']) setImmediate(() => made.push(validate(enclave, text)))
      setImmediate(() => resolve(made))
    })
    const [call] = await fake.asked(1)
    expect(asked(fake)).toEqual(['validate_batch 2'])
    call?.answer()
    expect(await Promise.all(answers)).toEqual(['one', 'two'].map(verdict))
  })

  it('use the single function if there is only one', async () => {
    const { fake, enclave } = await start()
    const answer = validate(enclave, 'one', { audience: 'did:web:me.example' })
    const [call] = await fake.asked(1)
    expect(asked(fake)).toEqual(['validate_invocation 1'])
    expect(call?.input.audience).toBe('did:web:me.example')
    call?.answer()
    expect(await answer).toEqual(verdict('one'))
  })

  it('are separate if their checks differ, or their text is the same', async () => {
    const { fake, enclave } = await start()
    const now = { now: 5 }
    const all = [
      ...['one', 'two', 'one'].map((text) => validate(enclave, text)),
      ...['three', 'four'].map((text) => validate(enclave, text, now)),
    ]
    await fake.asked(3)
    expect(asked(fake)).toEqual(['validate_batch 2', 'validate_invocation 1', 'validate_batch 2'])
    expect(fake.calls.map(({ input }) => input.now)).toEqual([undefined, undefined, 5])
    await fake.answerAll()
    expect(await Promise.all(all)).toEqual(['one', 'two', 'one', 'three', 'four'].map(verdict))
  })

  it('are at most 64 per call, and fewer long ones', async () => {
    const { fake, enclave } = await start()
    const texts = Array.from({ length: 100 }, (_, at) => `i${at}`)
    const long = Array.from({ length: 5 }, (_, at) => `${at}`.repeat(60_000))
    const all = [...texts, ...long, 'x'.repeat(70_000)].map((text) => validate(enclave, text))
    await fake.asked(4)
    expect(asked(fake)).toEqual([
      // Longer ones go alone, and at once.
      'validate_invocation 1',
      'validate_batch 64',
      'validate_batch 40',
      'validate_invocation 1',
    ])
    await fake.answerAll()
    expect(await Promise.all(all)).toHaveLength(106)
  })
})

describe('a result that others could have caused', () => {
  it.each([
    ['too much work', tooMuch],
    ['a replay', replayed],
  ])('is asked again, alone: %s', async (_what, result) => {
    const { fake, enclave } = await start()
    const [one, two] = ['one', 'two'].map((text) => validate(enclave, text))
    const [together] = await fake.asked(1)
    together?.answer({ results: [result, verdict('two')] })
    expect(await two).toEqual(verdict('two'))
    const [alone] = await fake.asked(1)
    expect(alone).toMatchObject({ name: 'validate_invocation', input: { invocations: ['one'] } })
    alone?.answer(result)
    expect(await one).toEqual(result)
  })

  it.each<[string, (fake: FakeWorkers) => void]>([
    [
      'is refused',
      (fake) => fake.calls[0]?.answer({ error: 'No.', code: 'OPERATION_FAILED', name: 'InvalidInput' }),
    ],
    ['traps', (fake) => fake.calls[0]?.fail('it trapped')],
    ['gets a meaningless answer', (fake) => fake.calls[0]?.answer({ results: [] })],
  ])('is asked again, each alone, if the shared call %s', async (_what, end) => {
    const { fake, enclave } = await start()
    const [one, two] = ['one', 'two'].map((text) => validate(enclave, text))
    await fake.asked(1)
    end(fake)
    const calls = await fake.asked(2)
    expect(asked(fake)).toEqual(['validate_invocation 1', 'validate_invocation 1'])
    calls[0]?.fail('it trapped')
    calls[1]?.answer()
    await expect(one).rejects.toBeInstanceOf(EnclaveError)
    expect(await two).toEqual(verdict('two'))
  })
})

describe('a caller that stops waiting', () => {
  it('before the end of the turn is left out', async () => {
    const { fake, enclave } = await start()
    const caller = new AbortController()
    const given = validate(enclave, 'one', {}, { signal: caller.signal })
    const other = validate(enclave, 'two')
    const third = validate(enclave, 'three')
    caller.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    await fake.asked(1)
    expect(fake.calls.flatMap(({ input }) => input.invocations)).toEqual(['two', 'three'])
    await fake.answerAll()
    expect(await Promise.all([other, third])).toEqual(['two', 'three'].map(verdict))
  })

  it('does not end the worker while others wait, but the last one does', async () => {
    const { fake, enclave } = await start()
    const callers = [new AbortController(), new AbortController()]
    const given = callers.map(({ signal }, at) => validate(enclave, `i${at}`, {}, { signal }))
    const ended = given.map((call) => expect(call).rejects.toThrow('enough'))
    await fake.asked(1)
    callers[0]?.abort(new Error('enough'))
    await ended[0]
    expect(fake.workers.map((worker) => worker.ended)).toEqual([false])
    callers[1]?.abort(new Error('enough'))
    await ended[1]
    expect(fake.workers[0]?.ended).toBe(true)
    const next = validate(enclave, 'next')
    ;(await fake.asked(1))[0]?.answer()
    expect(await next).toEqual(verdict('next'))
  })

  it('after its timeout does not end it either', async () => {
    const { fake, enclave } = await start()
    const impatient = validate(enclave, 'one', {}, { timeout: 20 })
    const patient = validate(enclave, 'two')
    await expect(impatient).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(fake.workers.map((worker) => worker.ended)).toEqual([false])
    fake.calls[0]?.answer()
    expect(await patient).toEqual(verdict('two'))
  })
})

it('unanswered invocations go to the next worker when one ends', async () => {
  const { fake, enclave } = await start()
  const all = ['one', 'two'].map((text) => validate(enclave, text))
  await fake.asked(1)
  const worker = fake.workers[0]
  if (worker) {
    worker.die()
  }
  await fake.asked(2)
  await fake.answerAll()
  expect(await Promise.all(all)).toEqual(['one', 'two'].map(verdict))
})

describe('a batch of the caller’s own', () => {
  const batch = (enclave: Enclave, invocations: string[], options?: CallOptions) =>
    enclave.callByName('validate_batch', { invocations, now: 5 }, options)

  it('is asked again, in halves, if it was too much work for one call', async () => {
    const { fake, enclave } = await start()
    const answer = batch(enclave, ['a', 'b', 'c', 'd'])
    ;(await fake.asked(1))[0]?.answer({ results: [verdict('a'), tooMuch, tooMuch, tooMuch] })
    const [half] = await fake.asked(1)
    expect(half?.input).toMatchObject({ invocations: ['b', 'c'], now: 5 })
    half?.answer({ results: [verdict('b'), tooMuch] })
    for (const expected of ['c', 'd']) {
      const [call] = await fake.asked(1)
      expect(call?.input.invocations).toEqual([expected])
      call?.answer({ results: [expected === 'c' ? tooMuch : { valid: true, cid: 'a' }] })
    }
    expect(await answer).toEqual({
      // The last one repeats the first.
      results: [
        verdict('a'),
        verdict('b'),
        tooMuch,
        { valid: false, error: expect.objectContaining({ name: 'Replayed' }) },
      ],
    })
  })

  it('is not asked again if it was a single one, and a refusal stays one', async () => {
    const { fake, enclave } = await start()
    const one = batch(enclave, ['a'])
    ;(await fake.asked(1))[0]?.answer({ results: [tooMuch] })
    expect(await one).toEqual({ results: [tooMuch] })
    const refusal = { error: 'No.', code: 'OPERATION_FAILED', name: 'InvalidInput' }
    const two = batch(enclave, ['a', 'b'])
    ;(await fake.asked(1))[0]?.answer({ results: [tooMuch, verdict('b')] })
    ;(await fake.asked(1))[0]?.answer(refusal)
    expect(await two).toEqual(refusal)
  })

  it('ends with its timeout, however often it is asked again', async () => {
    const { fake, enclave } = await start()
    const answer = batch(enclave, ['a', 'b'], { timeout: 30 })
    ;(await fake.asked(1))[0]?.answer({ results: [tooMuch, tooMuch] })
    await expect(answer).rejects.toMatchObject({ code: 'TIMEOUT' })
  })
})
