import { afterEach, describe, expect, it } from 'vitest'
import { refused, VaultError } from '../base/errors.ts'
import { TestClock } from '../test/clock.ts'
import type { DeviceStatus } from './device-calls.ts'
import { RelayFailure } from './relay-failure.ts'
import { type LoopParts, SyncLoop } from './sync-loop.ts'

const status: DeviceStatus = {
  ...{
    device: 'd',
    members: ['d'],
    limited: [],
    is_member: true,
    next: 1,
    heads_read: 1,
    unsent: 0,
    missing: 0,
    went_back: 0,
  },
  ...{ has_to_join: false, unread: 0, has_to_write_again: false, has_to_adopt: false },
  state_was_shown: false,
}
type Shown = Parameters<LoopParts['show']>[0]

const enders: AbortController[] = []
afterEach(() => {
  for (const ender of enders.splice(0)) ender.abort()
})

/** A loop whose steps a test counts, and makes fail. */
function started() {
  const clock = new TestClock()
  const ender = new AbortController()
  enders.push(ender)
  const steps: string[] = []
  const failing = new Map<string, unknown>()
  const during = new Map<string, () => void>()
  const watchers: { hint: () => void; end: () => void }[] = []
  let session = {
    status,
    isRemoved: false,
    isUnnamed: false,
    headsDiffer: false,
    tooLong: 0,
    isInStep: false,
  }
  const step = async (name: string) => {
    steps.push(name)
    during.get(name)?.()
    const failure = failing.get(name)
    if (failure) throw failure
    return false
  }
  /** What it waits for before it opens, if anything. */
  const waiting: Promise<void>[] = []
  const idle: ((shown: Shown) => void)[] = []
  const loop = new SyncLoop({
    session: {
      open: async () => void (await step('open')),
      settle: async () => void (await step('settle')),
      meet: () => step('meet'),
      waiting: async () => 0,
      codes: { areThere: undefined },
      untold: 0,
      hinted: () => {},
      unheard: () => {},
      get isInStep() {
        return session.isInStep
      },
      get status() {
        return session.status
      },
      get isRemoved() {
        return session.isRemoved
      },
      get isUnnamed() {
        return session.isUnnamed
      },
      get headsDiffer() {
        return session.headsDiffer
      },
      get tooLong() {
        return session.tooLong
      },
    },
    clock,
    inTurn: (work) => work(),
    watch: (hint) =>
      new Promise((_, reject) => watchers.push({ hint, end: () => reject(new RelayFailure('network')) })),
    ready: async () => void (await waiting.at(0)),
    prepare: async () => void (await step('prepare')),
    devices: async () => {
      const failure = failing.get('devices')
      if (failure) throw failure
      return [{ id: 'd', isThis: true }]
    },
    show: (shown) => {
      idle.shift()?.(shown)
      const failure = failing.get('show')
      if (failure) throw failure
    },
    signal: ender.signal,
  })
  /** Resolves once the loop has done a step and waits. */
  const rest = () => new Promise<Shown>((resolve) => idle.push(resolve))
  const next = async (work: () => void) => {
    const resting = rest()
    // The loop waits as soon as it has shown how far it is.
    await Promise.resolve().then(() => undefined)
    await new Promise((resolve) => setImmediate(resolve))
    work()
    return await resting
  }
  return {
    ...{ loop, clock, steps, failing, during, watchers, waiting, next, rest, ender },
    be: (more: Partial<typeof session>) => {
      session = { ...session, ...more }
    },
  }
}

describe('the loop', () => {
  it('opens the device once, writes down what was changed, and then meets the relay', async () => {
    const { loop, steps, rest, next, clock } = started()
    const first = rest()
    void loop.run()
    expect(await first).toMatchObject({ isRemoved: false, toSend: 0, lastRead: clock.now() })
    expect(steps).toEqual(['open', 'prepare', 'settle', 'meet'])
    await next(() => loop.nudge())
    expect(steps.slice(4)).toEqual(['settle', 'meet'])
    // A hint may be withheld.
    await next(() => clock.pass(60_000))
    expect(steps.slice(6)).toEqual(['settle', 'meet'])
  })

  it('opens nothing before an unlock is done, nor if the account is locked meanwhile', async () => {
    for (const isLocked of [false, true]) {
      const { loop, steps, waiting, rest, ender } = started()
      let unlocked = () => {}
      waiting.push(
        new Promise((resolve) => {
          unlocked = resolve
        }),
      )
      const first = rest()
      const running = loop.run()
      await new Promise((resolve) => setImmediate(resolve))
      expect(steps).toEqual([])
      if (isLocked) ender.abort()
      unlocked()
      await (isLocked ? running : first)
      expect(steps).toEqual(isLocked ? [] : ['open', 'prepare', 'settle', 'meet'])
    }
  })

  it('writes changes down while the relay is away, and asks it less and less often', async () => {
    const { loop, steps, failing, rest, next, clock } = started()
    failing.set('meet', new RelayFailure('network'))
    const first = rest()
    void loop.run()
    expect(await first).toMatchObject({ waitsFor: 'network' })
    await next(() => loop.nudge())
    expect(steps.slice(4)).toEqual(['settle'])
    for (const wait of [1_000, 2_000, 4_000, 8_000]) {
      const before = steps.filter((each) => each === 'meet').length
      await next(() => clock.pass(wait))
      expect([wait, steps.filter((each) => each === 'meet').length]).toEqual([wait, before + 1])
    }
    // The network is back.
    failing.clear()
    expect((await next(() => loop.retry())).waitsFor).toBeUndefined()
  })

  it('waits as long as a busy relay asks', async () => {
    const { loop, steps, failing, rest, next, clock } = started()
    failing.set('meet', new RelayFailure('busy', { wait: 7_000 }))
    const first = rest()
    void loop.run()
    expect(await first).toMatchObject({ waitsFor: 'relay_busy' })
    clock.pass(6_999)
    expect(steps.filter((each) => each === 'meet')).toHaveLength(1)
    await next(() => clock.pass(1))
    expect(steps.filter((each) => each === 'meet')).toHaveLength(2)
  })

  it.each([
    ['refused', 'relay_refuses'],
    ['full', 'relay_full'],
    ['nonsense', 'relay_nonsense'],
  ] as const)('says what it waits for if the relay’s answer is %s', async (why, waitsFor) => {
    const { loop, failing, rest } = started()
    failing.set('meet', new RelayFailure(why))
    const first = rest()
    void loop.run()
    expect(await first).toMatchObject({ waitsFor })
  })

  it('reads again at once after a conflict, but not for ever', async () => {
    const { loop, steps, failing, rest } = started()
    failing.set('meet', new RelayFailure('conflict'))
    let shown = rest()
    void loop.run()
    for (let round = 0; round < 3; round += 1) {
      await shown
      shown = rest()
    }
    await shown
    expect(steps.filter((each) => each === 'meet')).toHaveLength(4)
  })

  it('opens the device again after anything else failed, since the enclave may have more than the storage', async () => {
    const { loop, steps, failing, rest, next, clock } = started()
    failing.set('settle', refused('StorageFailed', { what: 'saving what devices exchange' }))
    const first = rest()
    void loop.run()
    expect(await first).toMatchObject({ waitsFor: 'storage' })
    failing.clear()
    expect((await next(() => clock.pass(1_000))).waitsFor).toBeUndefined()
    expect(steps).toEqual(['open', 'prepare', 'settle', 'open', 'prepare', 'settle', 'meet'])
  })

  it('opens the device again at once if another tab has changed the account', async () => {
    const { loop, steps, failing, rest, next } = started()
    const first = rest()
    void loop.run()
    await first
    const noDevice = new VaultError('OPERATION_FAILED', '', { name: 'NoDevice' })
    failing.set('settle', noDevice)
    const failed = next(() => loop.nudge())
    await failed
    failing.clear()
    expect((await rest()).waitsFor).toBeUndefined()
    expect(steps.slice(4)).toEqual(['settle', 'open', 'prepare', 'settle', 'meet'])
  })

  it('asks the relay nothing once the device was removed', async () => {
    const { loop, steps, rest, be, next } = started()
    be({ isRemoved: true })
    const first = rest()
    void loop.run()
    expect(await first).toMatchObject({ isRemoved: true })
    await next(() => loop.retry())
    expect(steps).not.toContain('meet')
  })

  it('says when branches of heads have to be joined', async () => {
    const { loop, rest, be } = started()
    be({ headsDiffer: true })
    const first = rest()
    void loop.run()
    expect(await first).toMatchObject({ waitsFor: 'heads' })
  })

  it('says that the relay hasn’t shown a list that names it', async () => {
    const { loop, rest, be } = started()
    be({ isUnnamed: true })
    const first = rest()
    void loop.run()
    expect(await first).toMatchObject({ waitsFor: 'unnamed', isRemoved: false })
  })

  it('says if it can’t read what another branch shares, unless it’s a limited device', async () => {
    const { loop, rest, be, next } = started()
    be({ status: { ...status, unread: 2 } })
    const first = rest()
    void loop.run()
    expect((await first).unread).toBe(2)
    be({ status: { ...status, limited: ['d'], unread: 2 } })
    expect((await next(() => loop.nudge())).unread).toBeUndefined()
    be({ status })
    expect((await next(() => loop.nudge())).unread).toBeUndefined()
  })

  it('follows hints, and no more than one a second if there are too many', async () => {
    const { loop, steps, rest, next, clock, watchers } = started()
    const first = rest()
    void loop.run()
    await first
    const meets = () => steps.filter((each) => each === 'meet').length
    for (let hint = 0; hint < 59; hint += 1) await next(() => watchers[0]?.hint())
    const before = meets()
    await new Promise((resolve) => setImmediate(resolve))
    for (let hint = 0; hint < 10_000; hint += 1) watchers[0]?.hint()
    await rest()
    await new Promise((resolve) => setImmediate(resolve))
    expect(meets()).toBe(before + 1)
    await next(() => clock.pass(1_000))
    expect(meets()).toBe(before + 2)
    expect(clock.timers).toBeLessThan(5)
  })

  it('doesn’t read again if it has just used what it is told of', async () => {
    const { loop, steps, rest, next, be, during, watchers } = started()
    const first = rest()
    void loop.run()
    await first
    const meets = () => steps.filter((each) => each === 'meet').length
    const idle = () => new Promise((resolve) => setImmediate(resolve))
    // As when it sends something itself.
    during.set('meet', () => watchers[0]?.hint())
    be({ isInStep: true })
    await next(() => loop.nudge())
    await idle()
    expect(meets()).toBe(2)
    during.set('meet', () => {
      during.clear()
      be({ isInStep: false })
      watchers[0]?.hint()
    })
    await next(() => loop.nudge())
    await idle()
    expect(meets()).toBe(4)
  })

  it('reads once more after the last hint of many', async () => {
    const { loop, steps, rest, clock, watchers } = started()
    const first = rest()
    void loop.run()
    await first
    const meets = () => steps.filter((each) => each === 'meet').length
    const quiet = () => new Promise((resolve) => setImmediate(resolve))
    for (let hint = 0; hint < 300; hint += 1) {
      watchers[0]?.hint()
      await quiet()
      clock.pass(50)
      await quiet()
    }
    const before = meets()
    watchers[0]?.hint()
    await quiet()
    expect(meets()).toBe(before)
    clock.pass(1_000)
    await quiet()
    expect(meets()).toBe(before + 1)
    expect(clock.timers).toBe(1)
  })

  it('listens again after a stream ended', async () => {
    const { loop, rest, next, clock, watchers } = started()
    const first = rest()
    void loop.run()
    await first
    expect(watchers).toHaveLength(1)
    watchers[0]?.end()
    await new Promise((resolve) => setImmediate(resolve))
    await next(() => clock.pass(1_000))
    expect(watchers).toHaveLength(2)
  })

  it('shows what it knew if the devices can’t be read, and goes on', async () => {
    const { loop, steps, failing, rest, next } = started()
    const first = rest()
    void loop.run()
    expect(await first).toMatchObject({ devices: [{ id: 'd' }] })
    failing.set('devices', refused('StorageFailed', { what: 'reading what devices exchange' }))
    expect(await next(() => loop.nudge())).toMatchObject({ devices: [{ id: 'd' }], waitsFor: 'storage' })
    failing.clear()
    expect((await next(() => loop.nudge())).waitsFor).toBeUndefined()
    expect(steps.slice(4)).toEqual(['settle', 'meet', 'settle', 'meet'])
  })

  it('opens the device again if another tab has changed the account while it was shown', async () => {
    const { loop, steps, failing, rest } = started()
    failing.set('devices', new VaultError('OPERATION_FAILED', '', { name: 'NoDevice' }))
    let shown = rest()
    void loop.run()
    for (let round = 0; round < 3; round += 1) {
      expect(await shown).toMatchObject({ devices: [] })
      shown = rest()
    }
    await shown
    // Not for ever.
    await new Promise((resolve) => setImmediate(resolve))
    expect(steps.filter((each) => each === 'open')).toHaveLength(4)
  })

  it('goes on if whoever is shown its state throws', async () => {
    const { loop, steps, failing, rest, next } = started()
    failing.set('show', new Error('A listener failed.'))
    const first = rest()
    const running = loop.run()
    await first
    await next(() => loop.nudge())
    expect(steps.filter((each) => each === 'meet')).toHaveLength(2)
    expect(await Promise.race([running, Promise.resolve('goes on')])).toBe('goes on')
  })

  it('ends when the account is locked, also while it waits', async () => {
    const { loop, rest, ender, clock } = started()
    const first = rest()
    const running = loop.run()
    await first
    await new Promise((resolve) => setImmediate(resolve))
    ender.abort()
    await running
    expect(clock.timers).toBe(0)
  })
})
