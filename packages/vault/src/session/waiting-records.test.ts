import { expect, it } from 'vitest'
import type { KeyVault } from '../key-vault.ts'
import { fillDisk, freshBrowser, rawAll } from '../test/browser.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey } from '../test/opening.ts'
import { BOB } from '../test/people.ts'

freshBrowser()

const vaults = new OpenVaults()

async function unlocked() {
  const world = new EnclaveWorld()
  const vault = await vaults.start({}, world)
  const { address } = await vault.create(openedByPasskey({ label: 'Alice' }))
  const seals = () => world.calls.filter(({ name }) => name === 'log_activity').length
  return { vault, world, address, seals }
}

const grant = (vault: KeyVault, label: string) =>
  vault.tokens.grant({ audience_did: BOB, command: '/msg/send', label })

const labelsOf = async (vault: KeyVault) => (await vault.tokens.list()).map(({ label }) => label).sort()

const LABELS = Array.from({ length: 20 }, (_, number) => `Number ${String(number).padStart(2, '0')}`)

it('stores what waits together in few changes, each with a log line of its own', async () => {
  const { vault, seals } = await unlocked()
  const before = seals()
  await Promise.all(LABELS.map((label) => grant(vault, label)))
  expect(seals() - before).toBeLessThan(LABELS.length / 2)
  expect(await labelsOf(vault)).toEqual(LABELS)
  const { lines, missing, rewritten } = await vault.activity.read()
  expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
  expect(lines.filter(({ act }) => act === 'grant')).toHaveLength(LABELS.length)
})

it('answers each only when it is stored', async () => {
  const { vault, address } = await unlocked()
  const stored = await Promise.all(
    LABELS.map(async (label) => {
      const { id } = await grant(vault, label)
      return ((await rawAll(address, 'tokens')) as { id: string }[]).some((each) => each.id === id)
    }),
  )
  expect(stored).toEqual(LABELS.map(() => true))
})

it('stores the others by themselves if one of them can’t be stored', async () => {
  const { vault, address } = await unlocked()
  const { put } = IDBObjectStore.prototype
  const tooLarge = new Set<string>()
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...args) {
    const { id, audience } = Object(args[0])
    if (this.name === 'tokens' && tooLarge.size === 0) tooLarge.add(id)
    if (tooLarge.has(id)) throw new DOMException(`No room for ${audience}`, 'QuotaExceededError')
    return put.apply(this, args)
  }
  try {
    const outcomes = await Promise.allSettled(LABELS.map((label) => grant(vault, label)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { details: { quota: true } } },
    ])
  } finally {
    IDBObjectStore.prototype.put = put
  }
  expect(await rawAll(address, 'tokens')).toHaveLength(LABELS.length - 1)
  const { lines, missing, rewritten } = await vault.activity.read()
  expect({ missing, rewritten }).toEqual({ missing: [], rewritten: [] })
  const outcomes = lines.filter(({ act }) => act === 'grant').map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(LABELS.length - 1)
})

it('stores none of them on a full disk, and the next ones when there is room', async () => {
  const { vault, address } = await unlocked()
  const { revision } = vault.getSnapshot()
  const free = fillDisk('tokens')
  const outcomes = await Promise.allSettled(LABELS.map((label) => grant(vault, label)))
  free()
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(await rawAll(address, 'tokens')).toEqual([])
  expect(vault.getSnapshot().revision).toBe(revision)
  await grant(vault, 'Later')
  expect(await labelsOf(vault)).toEqual(['Later'])
})

it('keeps the order of writing and deleting one record', async () => {
  const { vault } = await unlocked()
  const { id } = await grant(vault, 'Kept')
  const removed = vault.tokens.remove(id)
  const more = LABELS.map((label) => grant(vault, label))
  await removed
  const restored = vault.tokens.restore(id)
  await Promise.all([restored, ...more, ...LABELS.map((label) => grant(vault, `${label}b`))])
  expect(await labelsOf(vault)).toEqual(['Kept', ...LABELS.flatMap((label) => [label, `${label}b`])].sort())
})

it('refuses what still waits when the vault is locked', async () => {
  const { vault, world, address } = await unlocked()
  const held = world.holdUp('log_activity')
  const granting = Promise.allSettled(LABELS.map((label) => grant(vault, label)))
  await held.reached
  const locking = vault.lock()
  held.release()
  await locking
  const outcomes = await granting
  const kept = outcomes.filter(({ status }) => status === 'fulfilled').length
  expect(await rawAll(address, 'tokens')).toHaveLength(kept)
})
