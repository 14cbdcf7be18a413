import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { fetchVerified } from '../loading/source.ts'
import { Instances } from '../plugin/instances.ts'
import { Plugin } from '../plugin/plugin.ts'
import { FakeLocks } from '../test/fake-locks.ts'
import type { EnclaveChange } from '../types.ts'
import type { WorkerPlan } from './connection.ts'
import { nodePort } from './node-port.ts'
import { Remote } from './remote.ts'
import { serve } from './server.ts'

const PASSPHRASE = 'correct horse battery staple'
const wasm = fetchVerified(undefined, { timeout: 30_000, signal: undefined })
const open: Remote[] = []
const ports: MessagePort[] = []

/** A shared worker as in browsers, with its clients on this thread. */
class Worker {
  readonly #instances: Instances
  readonly #locks: FakeLocks

  constructor(locks: FakeLocks, mode: LockMode = 'exclusive') {
    this.#instances = new Instances(Plugin.create, { locks, mode })
    this.#locks = locks
  }

  async client(account?: string): Promise<Remote> {
    const plan: WorkerPlan = {
      kind: 'shared-worker',
      restarts: false,
      stateless: false,
      locks: this.#locks,
      spawn: async () => {
        const { port1, port2 } = new MessageChannel()
        ports.push(port1)
        serve(nodePort(port2), { instances: this.#instances, locks: this.#locks })
        return { port: nodePort(port1), busy() {}, terminate: () => port1.close() }
      },
    }
    const remote = new Remote({
      plan,
      wasm,
      account,
      allowedHosts: [],
      timeout: 60_000,
      startTimeout: 60_000,
    })
    open.push(remote)
    await remote.start()
    return remote
  }
}

const next = (remote: Remote) =>
  new Promise<EnclaveChange>((resolve) => {
    const stop = remote.subscribe((change) => {
      stop()
      resolve(change)
    })
  })

const MANDATE = {
  max: 100,
  currency: 'GBP',
  payees: ['did:web:shop.example'],
  budget: { period: 'day', amount: 100, payments: 1 },
} as const

const create = (remote: Remote) => remote.call('create_vault', { passphrase: PASSPHRASE })

async function status(remote: Remote): Promise<unknown> {
  const answer = await remote.call('vault_status')
  return 'status' in answer ? answer.status : answer
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((remote) => remote.close()))
  for (const port of ports.splice(0)) port.close()
})

describe('one worker for all tabs', () => {
  it('gives tabs with the same account one vault: one unlock, one lock, and the others are told', async () => {
    const worker = new Worker(new FakeLocks())
    const [here, there] = await Promise.all([worker.client('kh1me'), worker.client('kh1me')])
    const heard: EnclaveChange[] = []
    here.subscribe((change) => heard.push(change))
    const created = next(there)
    await create(here)
    expect(await created).toEqual({ kind: 'changed', call: 'create_vault' })
    expect(await status(there)).toMatchObject({ initialized: true, locked: false })
    const locked = next(here)
    const [, after] = await Promise.all([there.call('lock_vault'), status(there)])
    expect(after).toMatchObject({ initialized: true, locked: true })
    expect(await locked).toEqual({ kind: 'changed', call: 'lock_vault' })
    expect(heard).toEqual([{ kind: 'changed', call: 'lock_vault' }])
  })

  it('opens the latest change after a lock, and announces it to the other tabs', async () => {
    const worker = new Worker(new FakeLocks())
    const [here, there] = await Promise.all([worker.client('kh1me'), worker.client('kh1me')])
    const created = next(there)
    await create(here)
    await created
    const made = next(there)
    expect(await here.call('make_mandate', MANDATE)).toMatchObject({ status: { revision: 2 } })
    expect(await made).toEqual({ kind: 'changed', call: 'make_mandate' })
    await here.call('lock_vault')
    expect(await status(here)).toMatchObject({ locked: true, revision: 2 })
  })

  it('locks ahead of everything waiting, even while deriving a key, and lets no earlier unlock through', async () => {
    const worker = new Worker(new FakeLocks())
    const [here, there] = await Promise.all([worker.client('kh1me'), worker.client('kh1me')])
    await create(here)
    const proof = { passphrase: PASSPHRASE }
    const deriving = here.call('set_passphrase', { proof, passphrase: 'another passphrase entirely' })
    const signing = Array.from({ length: 200 }, () => here.call('sign_data', { data: [1] }))
    const unlocking = here.call('unlock_vault', { proof })
    const asking = status(here)
    // By now all of them have been sent.
    await Promise.resolve()
    const logging = there.call('log_activity', { entries: [{ act: 'lock' }] })
    expect(await there.call('lock_vault')).toMatchObject({ status: { locked: true } })
    // What was cancelled has changed nothing.
    expect(await logging).toMatchObject({ status: { locked: false, revision: 2 } })
    for (const call of [deriving, ...signing, unlocking]) {
      expect(await call).toMatchObject({ code: 'VAULT_LOCKED' })
    }
    expect(await asking).toMatchObject({ locked: true })
    expect(await here.call('unlock_vault', { proof })).toMatchObject({ status: { locked: false } })
  })

  it('cancels a key derivation when its last client leaves', async () => {
    const worker = new Worker(new FakeLocks())
    const remote = await worker.client('kh1me')
    const givenUp = expect(create(remote)).rejects.toThrow('closed')
    await Promise.resolve()
    await remote.close()
    await givenUp
    expect(await status(await worker.client('kh1me'))).toMatchObject({ initialized: false })
  })

  it('does not announce a refused change', async () => {
    const worker = new Worker(new FakeLocks())
    const [here, there] = await Promise.all([worker.client('kh1me'), worker.client('kh1me')])
    const heard: EnclaveChange[] = []
    there.subscribe((change) => heard.push(change))
    expect(await here.call('unlock_vault', { proof: { passphrase: PASSPHRASE } })).toMatchObject({
      code: 'VAULT_NOT_INITIALIZED',
    })
    await status(there)
    expect(heard).toEqual([])
  })

  it('does not make a call that was cancelled before its turn', async () => {
    const remote = await new Worker(new FakeLocks()).client()
    const caller = new AbortController()
    const first = remote.call('warm')
    const given = remote.call('create_vault', { passphrase: PASSPHRASE }, { signal: caller.signal })
    // By now both have been sent.
    await Promise.resolve()
    caller.abort(new Error('no'))
    await expect(given).rejects.toThrow('no')
    await first
    expect(await status(remote)).toMatchObject({ initialized: false })
  })

  it('tells a caller that stopped waiting what its call did in the end', async () => {
    const remote = await new Worker(new FakeLocks()).client()
    const change = next(remote)
    const caller = new AbortController()
    const given = remote.call('create_vault', { passphrase: PASSPHRASE }, { signal: caller.signal })
    caller.abort(new Error('no'))
    await expect(given).rejects.toThrow('no')
    expect(await change).toEqual({ kind: 'changed', call: 'create_vault' })
    expect(await status(remote)).toMatchObject({ initialized: true })
  })

  it('gives tabs without an account, or with another one, separate vaults', async () => {
    const worker = new Worker(new FakeLocks())
    const remotes = [await worker.client(), await worker.client(), await worker.client('kh1other')]
    await create(await worker.client('kh1me'))
    for (const remote of remotes) expect(await status(remote)).toMatchObject({ initialized: false })
  })

  it('finds an instance by its adopted name', async () => {
    const locks = new FakeLocks()
    const worker = new Worker(locks)
    const here = await worker.client()
    await create(here)
    await here.adopt('kh1new')
    expect(here.account).toBe('kh1new')
    expect(locks.held).toContain('keyhole:account:kh1new')
    expect(await status(await worker.client('kh1new'))).toMatchObject({ initialized: true, locked: false })
    const other = await worker.client()
    await expect(other.adopt('kh1new')).rejects.toMatchObject({ code: 'OPERATION_FAILED' })
    expect(other.account).toBeUndefined()
  })

  it('notices the end of a tab that waits for no answer, and sends it none', async () => {
    const locks = new FakeLocks()
    const worker = new Worker(locks)
    const here = await worker.client('kh1me')
    await create(here)
    const heard: unknown[] = []
    ports.at(-1)?.on('message', (message) => heard.push(message))
    const isClient = (name: string) => name.startsWith('keyhole:client:')
    expect(locks.held.filter(isClient)).toHaveLength(1)
    await here.close({ wait: false })
    await expect.poll(() => locks.held.filter(isClient)).toEqual([])
    const again = await worker.client('kh1me')
    expect(await status(again)).toMatchObject({ initialized: false })
    expect(heard).toEqual([])
  })

  it('ends a vault with its last tab, and not before', async () => {
    const locks = new FakeLocks()
    const worker = new Worker(locks)
    const [here, there] = await Promise.all([worker.client('kh1me'), worker.client('kh1me')])
    await create(here)
    await here.close()
    expect(await status(there)).toMatchObject({ initialized: true, locked: false })
    await there.close()
    expect(locks.held.filter((name) => name.startsWith('keyhole:account:'))).toEqual([])
    expect(await status(await worker.client('kh1me'))).toMatchObject({ initialized: false })
  })

  it('notices a tab that disappears without a message', async () => {
    const locks = new FakeLocks()
    const worker = new Worker(locks)
    const before = locks.held
    const gone = await worker.client('kh1me')
    const [lock] = locks.held.filter((name) => name.startsWith('keyhole:client:') && !before.includes(name))
    await create(gone)
    if (lock === undefined) throw new Error('the client holds no lock')
    locks.lose(lock)
    await locks.request('keyhole:account:kh1me', () => undefined)
    expect(await status(await worker.client('kh1me'))).toMatchObject({ initialized: false })
  })
})

describe('two versions of the worker', () => {
  it('cannot hold one account at the same time', async () => {
    const locks = new FakeLocks()
    const old = await new Worker(locks).client('kh1me')
    const updated = new Worker(locks)
    await expect(updated.client('kh1me')).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      message: expect.stringContaining('another version of Keyhole'),
    })
    const waiting = updated.client('kh1me')
    await old.close()
    await expect(waiting).resolves.toBeInstanceOf(Remote)
  })

  it('can if each tab has its own worker', async () => {
    const locks = new FakeLocks()
    await new Worker(locks, 'shared').client('kh1me')
    await expect(new Worker(locks, 'shared').client('kh1me')).resolves.toBeInstanceOf(Remote)
  })
})

it('restarts and says so when the worker is gone', async () => {
  const locks = new FakeLocks()
  const remote = await new Worker(locks).client()
  await create(remote)
  const change = next(remote)
  const [lock] = locks.held.filter((name) => name.startsWith('keyhole:worker:'))
  if (lock === undefined) throw new Error('the worker holds no lock')
  locks.lose(lock)
  expect(await change).toEqual({ kind: 'restarted' })
  expect(await status(remote)).toMatchObject({ initialized: false })
})
