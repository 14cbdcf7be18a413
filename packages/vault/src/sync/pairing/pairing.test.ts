import { describe, expect, it, vi } from 'vitest'
import { BOUNDS } from '../../../../relay/src/bounds.ts'
import { memoryStore } from '../../../../relay/src/stores/memory-store.ts'
import type { KeyVault } from '../../key-vault.ts'
import { fillDisk } from '../../test/browser.ts'
import { openedByPasskey, passkeyProof } from '../../test/opening.ts'
import {
  away,
  Device,
  isInStep,
  laptopAndPhone,
  nameOf,
  paired,
  RELAY,
  relay,
  wire,
} from '../../test/paired-vaults.ts'
import { separateBrowsers, TestBrowser } from '../../test/two-browsers.ts'

separateBrowsers()

/** Everything from the code to the new device, as far as it gets. */
async function tryToPair(laptop: Device, phone: Device): Promise<void> {
  try {
    await paired(laptop, phone)
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
  } catch {
    // One of them was killed.
  }
}

describe('a second device', () => {
  it('is added by its code, and both have the same from then on', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    const { issuerDid: audience = '', address } = laptop.vault.getSnapshot()
    const grant = () =>
      laptop.within(() => laptop.vault.tokens.grant({ audience_did: audience, command: '/msg/send' }))
    const before = await grant()
    await paired(laptop, phone)
    const [joined] = await Promise.all([
      phone.devices.join(),
      laptop.devices.add({ proof: passkeyProof(), name: 'Phone' }),
    ])
    expect(joined).toMatchObject({ address, active: true })
    expect(phone.vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address })
    await phone.until(isInStep)
    expect(await phone.cids()).toEqual([before.cid])
    // The phone says that it's there as soon as it has joined.
    const state = await laptop.until(({ devices }) =>
      devices.some(({ isThis, lastHeard }) => !isThis && lastHeard === phone.clock.now()),
    )
    expect(state.devices.map(({ isThis, name }) => [isThis, name])).toEqual([
      [true, 'Laptop'],
      [false, 'Phone'],
    ])
    // What the phone makes is on the laptop, and the other way round.
    const onPhone = await phone.within(() =>
      phone.vault.tokens.grant({ audience_did: audience, command: '/msg/send' }),
    )
    const after = await grant()
    const all = [before.cid, onPhone.cid, after.cid].sort()
    await vi.waitFor(async () => expect(await laptop.cids()).toEqual(all), { timeout: 20_000 })
    await vi.waitFor(async () => expect(await phone.cids()).toEqual(all), { timeout: 20_000 })
    // It opens as the laptop does, also after it was locked.
    await phone.within(() => phone.vault.lock())
    await phone.within(() => phone.vault.unlock(passkeyProof()))
    await phone.until(isInStep)
    const lines = async (device: Device) => (await device.within(() => device.vault.activity.read())).lines
    expect((await lines(phone)).map(({ act }) => act)).toContain('joinDevices')
    expect((await lines(laptop)).map(({ act }) => act)).toContain('addDevice')
  })

  it('is added with the code alone, typed without its hyphens', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    const { code } = await phone.devices.beginJoining({ relay: RELAY })
    const typed = code.replaceAll('-', ' ').toLowerCase()
    const digits = await Promise.all([laptop.devices.readPairingCode(typed), phone.devices.joiningDigits()])
    expect(digits[0]).toBe(digits[1])
  })

  it('is added beside an account that its browser has already', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    const own = await phone.within(() => phone.vault.create(openedByPasskey({ label: 'Work' }, 9)))
    await paired(laptop, phone)
    const [joined] = await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
    await phone.until(isInStep)
    const { accounts } = phone.vault.getSnapshot()
    expect(accounts.map(({ address }) => address).sort()).toEqual([own.address, joined.address].sort())
    await phone.within(() => phone.vault.accounts.open(own.address))
    await phone.within(() => phone.vault.unlock(passkeyProof(9)))
    expect(await phone.devices.state()).toMatchObject({ isOn: false })
  })

  it('can be removed, and says so', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    await paired(laptop, phone)
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
    await phone.until(isInStep)
    const { devices } = await laptop.until((state) => state.devices.length === 2)
    const other = devices.find(({ isThis }) => !isThis)?.id ?? ''
    await laptop.devices.remove({ device: other, proof: passkeyProof() })
    await phone.until(({ isRemoved, waitsFor }) => isRemoved || waitsFor === 'relay_revoked')
    // The other way round too: whoever learns it from the relay alone.
    await phone.within(() => phone.vault.lock())
    await phone.within(() => phone.vault.unlock(passkeyProof()))
    await phone.until(({ isRemoved, waitsFor }) => isRemoved || waitsFor === 'relay_revoked')
    expect(phone.vault.getSnapshot().phase).toBe('unlocked')
  })

  it('that was named and never came can be removed', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    await paired(laptop, phone)
    await laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })
    await phone.devices.cancelPairing()
    const { devices } = await laptop.until((state) => state.devices.length === 2)
    const [other] = devices.filter(({ isThis }) => !isThis)
    expect(other).toMatchObject({ name: 'Phone', isOutdated: true })
    expect(other).not.toHaveProperty('lastHeard')
    await laptop.devices.remove({ device: other?.id ?? '', proof: passkeyProof() })
    await laptop.until((state) => state.devices.length === 1 && isInStep(state))
    // What waited for it goes on.
    await laptop.within(() => laptop.vault.unlockMethods.newRecoveryCode(passkeyProof()))
    await paired(laptop, phone)
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
    await phone.until(isInStep)
  })
})

describe('a code', () => {
  it('has to be one, of a device that waits at the account’s relay', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    const { code, text } = await phone.devices.beginJoining({ relay: RELAY })
    const read = (given: string) => nameOf(laptop.devices.readPairingCode(given))
    expect(await read('')).toBe('PairingCode')
    expect(await read('hello')).toBe('PairingCode')
    const wrong = code.slice(0, -2) + (code.at(-2) === 'A' ? 'B' : 'A') + code.slice(-1)
    expect(await read(wrong)).toBe('PairingCode')
    expect(await read(text.replace('vault.example', 'other.example'))).toBe('PairingOtherRelay')
    expect(await read(text.replace('https', 'http'))).toBe('RelayAddressInvalid')
    // Whatever else is in it, nothing that long is read.
    const other = text.replace('vault.example', 'other.example')
    expect(await read(other.padEnd(2_000))).toBe('PairingOtherRelay')
    expect(await read(other.padEnd(2_001))).toBe('PairingCode')
    // The code of another device, which no longer waits.
    const { text: next } = await phone.devices.beginJoining({ relay: RELAY })
    await phone.devices.cancelPairing()
    expect(next).not.toBe(text)
    expect(await nameOf(phone.devices.joiningDigits())).toBe('PairingOff')
    expect(await nameOf(phone.devices.join())).toBe('PairingOff')
    expect(await nameOf(laptop.devices.add({ proof: passkeyProof() }))).toBe('PairingOff')
    expect((await laptop.devices.state()).devices).toHaveLength(1)
  })

  it('that no device made isn’t found', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    let isThere = true
    const { text } = await phone.devices.beginJoining({ relay: RELAY })
    wire.instead = (path) => {
      if (path !== '/mailboxes/read' || !isThere) return undefined
      isThere = false
      return Response.json({ error: 'expired' }, { status: 400 })
    }
    expect(await nameOf(laptop.devices.readPairingCode(text))).toBe('PairingNotFound')
    // At the relay it is still there.
    const digits = await Promise.all([laptop.devices.readPairingCode(text), phone.devices.joiningDigits()])
    expect(digits[0]).toBe(digits[1])
  })

  it('can be used once, also right afterwards', async () => {
    let late = 0
    const world = await relay({ clock: () => Date.now() + late })
    const [laptop, phone] = await laptopAndPhone()
    const other = await new Device().start()
    await other.within(() => other.vault.create(openedByPasskey({}, 9)))
    await other.devices.start({ relay: RELAY, proof: passkeyProof(9) })
    await other.until(isInStep)
    const { text } = await phone.devices.beginJoining({ relay: RELAY })
    await Promise.all([laptop.devices.readPairingCode(text), phone.devices.joiningDigits()])
    // The relay first asks to slow down, because the laptop has just read the same mailbox.
    const asked: string[] = []
    wire.instead = async (path, init) => {
      if (path !== '/mailboxes/read') return undefined
      const request = new Request(`${RELAY}${path}`, init)
      const answer = await world.relay.fetch(request, { address: '192.0.2.1' })
      asked.push(String(answer.status))
      late += 5_000
      setImmediate(() => other.clock.pass(5_000))
      return answer
    }
    expect(await nameOf(other.devices.readPairingCode(text))).toBe('PairingCodeUsed')
    expect(asked).toEqual(['400', '200'])
    wire.instead = () => undefined
    expect((await other.devices.state()).devices).toHaveLength(1)
  })

  it('can be used for ten minutes', async () => {
    let age = 0
    const store = memoryStore(BOUNDS)
    const { readMailbox } = store
    store.readMailbox = (mailbox, now) => readMailbox.call(store, mailbox, now + age)
    await relay({ store })
    const [laptop, phone] = await laptopAndPhone()
    const { text, expiresAt } = await phone.devices.beginJoining({ relay: RELAY })
    expect(expiresAt - phone.clock.now()).toBeGreaterThan(590_000)
    expect(expiresAt - phone.clock.now()).toBeLessThanOrEqual(600_000)
    age = 600_001
    expect(await nameOf(laptop.devices.readPairingCode(text))).toBe('PairingNotFound')
    expect(await nameOf(phone.devices.joiningDigits())).toBe('PairingExpired')
    // Both begin again. This time the laptop leaves after the digits.
    age = 0
    await paired(laptop, phone)
    await laptop.devices.cancelPairing()
    age = 600_001
    expect(await nameOf(phone.devices.join())).toBe('PairingExpired')
    age = 0
    await paired(laptop, phone)
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
    await phone.until(isInStep)
  })
})

describe('a pairing', () => {
  it('changes nothing if the digits differ, the proof is wrong or the account is locked', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    await paired(laptop, phone)
    await phone.devices.cancelPairing()
    await laptop.devices.cancelPairing()
    expect(await nameOf(laptop.devices.add({ proof: passkeyProof() }))).toBe('PairingOff')
    await paired(laptop, phone)
    await laptop.within(() => laptop.vault.lock())
    expect(await nameOf(laptop.devices.readPairingCode('x'))).toBe('VaultLocked')
    await laptop.within(() => laptop.vault.unlock(passkeyProof()))
    await laptop.until(isInStep)
    expect(await nameOf(laptop.devices.add({ proof: passkeyProof() }))).toBe('PairingOff')
    await paired(laptop, phone)
    await expect(laptop.devices.add({ proof: passkeyProof(8) })).rejects.toMatchObject({
      code: 'INVALID_PASSPHRASE',
    })
    expect((await laptop.devices.state()).devices).toHaveLength(1)
    expect(phone.vault.getSnapshot().phase).toBe('empty')
    // The same pairing goes on with the right one, once the wait after a wrong one is over.
    laptop.clock.pass(1_000)
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
    await phone.until(isInStep)
  })

  it('is refused in a browser that has the account, which stays as it is', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    await paired(laptop, phone)
    const { address = '' } = laptop.vault.getSnapshot()
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
    await phone.until(isInStep)
    await paired(laptop, phone)
    const joining = nameOf(phone.devices.join())
    await laptop.devices.add({ proof: passkeyProof() })
    expect(await joining).toBe('AccountHere')
    expect(phone.browser.storage.getItem(`keyhole:devices:${address}`)).not.toBeNull()
    await phone.until(isInStep)
    expect(phone.vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address })
  })

  it('goes on if the relay is away, busy or behind while the new device reads who the devices are', async () => {
    const world = await relay()
    const [laptop, phone] = await laptopAndPhone()
    await paired(laptop, phone)
    const after = phone.clock.after.bind(phone.clock)
    const pauses = vi.spyOn(phone.clock, 'after').mockImplementation((wait, work) => {
      // A call may take a minute.
      if (wait < 60_000) setImmediate(() => phone.clock.pass(wait))
      return after(wait, work)
    })
    const failing = ['away', 'busy', 'behind', 'empty']
    wire.instead = async (path, init) => {
      if (path !== '/records/read' || TestBrowser.here !== phone.browser) return undefined
      const how = failing.shift()
      if (how === 'away') return await Promise.reject(new TypeError('Failed to fetch'))
      if (how === 'busy') return new Response('<h1>502</h1>', { status: 502 })
      if (how === undefined) return undefined
      // The head that names the new device isn't there yet.
      const request = new Request(`${RELAY}${path}`, init)
      const page = await (await world.relay.fetch(request, { address: '192.0.2.1' })).json()
      return Response.json({ ...page, records: how === 'behind' ? page.records.slice(0, 1) : [] })
    }
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
    expect(failing).toEqual([])
    pauses.mockRestore()
    await phone.until(isInStep)
  })

  it('leaves an account that was just stored as it is, if someone leaves at the last moment', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    const { address = '' } = laptop.vault.getSnapshot()
    await paired(laptop, phone)
    const stop = phone.vault.on('vault:initialized', () => void phone.devices.cancelPairing())
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
    stop()
    expect(phone.vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address })
    expect(phone.browser.storage.getItem(`keyhole:devices:${address}`)).not.toBeNull()
    await phone.until(isInStep)
    await phone.within(() => phone.vault.keys.generate())
  })

  it('leaves nothing behind if the account doesn’t fit on the disk', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    const { address = '' } = laptop.vault.getSnapshot()
    await paired(laptop, phone)
    const adding = laptop.devices.add({ proof: passkeyProof() })
    let free = () => {}
    wire.instead = async (path) => {
      if (path !== '/records/read' || TestBrowser.here !== phone.browser) return undefined
      await adding
      free()
      free = fillDisk('state')
      return undefined
    }
    await expect(phone.devices.join()).rejects.toMatchObject({ details: { quota: true } })
    free()
    wire.instead = () => undefined
    expect(phone.vault.getSnapshot().phase).toBe('empty')
    expect(phone.browser.storage.getItem(`keyhole:devices:${address}`)).toBeNull()
    await laptop.devices.retry()
  })

  it('says that the relay can’t be reached, and goes on once it can', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    wire.instead = away
    expect(await nameOf(phone.devices.beginJoining({ relay: RELAY }))).toBe('RelayUnreachable')
    wire.instead = () => undefined
    const { text } = await phone.devices.beginJoining({ relay: RELAY })
    wire.instead = away
    expect(await nameOf(laptop.devices.readPairingCode(text))).toBe('RelayUnreachable')
    // The new device waits as long as its mailbox is open.
    expect(await nameOf(phone.devices.joiningDigits())).toBe('RelayUnreachable')
    wire.instead = () => undefined
    const { text: again } = await phone.devices.beginJoining({ relay: RELAY })
    // Away for a while, for the new device and whenever the old one has read the code.
    const failed = new Set<string>()
    wire.instead = (path) => {
      const isFirst = TestBrowser.here === phone.browser || path === '/mailboxes/message'
      const call = `${path} ${TestBrowser.here?.id}`
      if (!isFirst || failed.has(call) || path === '/mailboxes') return undefined
      failed.add(call)
      return away(path)
    }
    const digits = await Promise.all([laptop.devices.readPairingCode(again), phone.devices.joiningDigits()])
    expect(digits[0]).toBe(digits[1])
    expect(failed.size).toBeGreaterThan(2)
    wire.instead = (path) => (path.startsWith('/records') ? away(path) : undefined)
    expect(await nameOf(laptop.devices.add({ proof: passkeyProof() }))).toBe('RelayUnreachable')
    wire.instead = () => undefined
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
    await phone.until(isInStep)
  })

  it('says that a relay answers nonsense, whatever that is', async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    const nonsense = [
      () => new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } }),
      () => Response.json({ expires_in: -1, message: '' }),
      () => Response.json({ expires_in: 'soon', message: 'A'.repeat(30_000) }),
      () => Response.json([null]),
      () => new Response('x'.repeat(1 << 20)),
    ]
    for (const answer of nonsense) {
      wire.instead = (path) => (path.startsWith('/mailboxes') ? answer() : undefined)
      expect(await nameOf(phone.devices.beginJoining({ relay: RELAY }))).toBe('RelayNonsense')
      wire.instead = () => undefined
      const { text } = await phone.devices.beginJoining({ relay: RELAY })
      wire.instead = (path) => (path.startsWith('/mailboxes') ? answer() : undefined)
      expect(await nameOf(laptop.devices.readPairingCode(text))).toBe('RelayNonsense')
      expect(await nameOf(phone.devices.joiningDigits())).toBe('RelayNonsense')
    }
    // A message that isn't of this pairing.
    wire.instead = () => undefined
    const { text } = await phone.devices.beginJoining({ relay: RELAY })
    wire.instead = (path) =>
      path === '/mailboxes/read' ? Response.json({ message: 'A'.repeat(400) }) : undefined
    expect(await nameOf(laptop.devices.readPairingCode(text))).toBe('PairingRefused')
    expect(await nameOf(phone.devices.joiningDigits())).toBe('PairingRefused')
    expect((await laptop.devices.state()).devices).toHaveLength(1)
    expect(phone.vault.getSnapshot().phase).toBe('empty')
  })
})

describe('keys and unlock methods of an account on several devices', () => {
  it('are changed for all of them, once the relay shows it', { timeout: 120_000 }, async () => {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    await paired(laptop, phone)
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
    await phone.until(isInStep)
    const onLaptop = <T>(work: (vault: KeyVault) => Promise<T>) => laptop.within(() => work(laptop.vault))
    const onPhone = <T>(work: (vault: KeyVault) => Promise<T>) => phone.within(() => work(phone.vault))
    const keysOf = (device: Device) =>
      device.vault
        .getSnapshot()
        .keys.map(({ key_id: id }) => id)
        .sort()
    const same = async () =>
      await vi.waitFor(() => expect(keysOf(phone)).toEqual(keysOf(laptop)), { timeout: 20_000 })

    const made = await onLaptop((vault) => vault.keys.generate({ label: 'Work' }))
    expect(keysOf(laptop)).toContain(made.key_id)
    expect(laptop.vault.getSnapshot().keys.find(({ key_id: id }) => id === made.key_id)?.label).toBe('Work')
    await same()
    await onPhone((vault) => vault.keys.setDefault(made.key_id))
    await onPhone((vault) => vault.keys.setDefault(made.key_id))
    await vi.waitFor(() => expect(laptop.vault.getSnapshot().defaultKey).toBe(made.key_id), {
      timeout: 20_000,
    })
    const [first = ''] = keysOf(laptop).filter((id) => id !== made.key_id)
    await onLaptop((vault) => vault.keys.setDefault(first))
    await onLaptop((vault) => vault.keys.delete(made.key_id))
    await same()
    expect(keysOf(laptop)).toEqual([first])

    // A new recovery code opens both, and the one before opens neither.
    const code = await onLaptop((vault) => vault.unlockMethods.newRecoveryCode(passkeyProof()))
    await phone.until(({ toSend }) => toSend === 0)
    await onLaptop((vault) => vault.lock())
    await onLaptop((vault) => vault.unlock({ recoveryCode: code }))
    await laptop.until(isInStep)
    await vi.waitFor(
      async () => {
        await onPhone((vault) => vault.lock())
        phone.clock.pass(60_000)
        await onPhone((vault) => vault.unlock({ recoveryCode: code }))
      },
      { timeout: 20_000 },
    )
    await phone.until(isInStep)

    // A passphrase that one sets, and a method that the other removes.
    await onPhone((vault) =>
      vault.unlockMethods.setPassphrase(passkeyProof(), 'correct horse battery staple'),
    )
    await vi.waitFor(
      async () =>
        expect((await onLaptop((vault) => vault.unlockMethods.list())).map(({ kind }) => kind)).toContain(
          'passphrase',
        ),
      { timeout: 20_000 },
    )
    const codes = await onLaptop((vault) => vault.unlockMethods.list())
    const old = codes.find(({ kind }) => kind === 'recovery_code')?.id ?? ''
    await onLaptop((vault) => vault.unlockMethods.remove({ passphrase: 'correct horse battery staple' }, old))
    await vi.waitFor(
      async () =>
        expect((await onPhone((vault) => vault.unlockMethods.list())).map(({ kind }) => kind).sort()).toEqual(
          ['passkey', 'passphrase'],
        ),
      { timeout: 20_000 },
    )
    const acts = (await onLaptop((vault) => vault.activity.read())).lines.map(({ act }) => act)
    for (const act of ['generateKey', 'deleteKey', 'newRecoveryCode', 'removeUnlockMethod', 'adoptDevices'])
      expect(acts).toContain(act)
  })

  it('stay as they are if the relay refuses or is away, and no code is given that opens nothing', async () => {
    await relay()
    const [laptop] = await laptopAndPhone()
    const newCode = () => laptop.within(() => laptop.vault.unlockMethods.newRecoveryCode(passkeyProof()))
    const before = await laptop.within(() => laptop.vault.unlockMethods.list())
    wire.instead = away
    expect(await nameOf(newCode())).toBe('RelayUnreachable')
    // It says that it has the head, and doesn't show it.
    wire.instead = (path) =>
      path === '/records/append' ? Response.json({ place: 9 }, { status: 201 }) : undefined
    expect(await nameOf(newCode())).toBe('ChangeUnsure')
    // It is gone as soon as it has the head.
    let isGone = false
    wire.instead = async (path, init) => {
      if (isGone) return await away(path)
      if (path !== '/records/append') return undefined
      isGone = true
      void init
      return await away(path)
    }
    expect(await nameOf(newCode())).toBe('ChangeUnsure')
    expect(await laptop.within(() => laptop.vault.unlockMethods.list())).toEqual(before)
    wire.instead = () => undefined
    await laptop.devices.retry()
    await laptop.until(isInStep)
    const code = await newCode()
    await laptop.within(() => laptop.vault.lock())
    await laptop.within(() => laptop.vault.unlock({ recoveryCode: code }))
  })
})

describe.each(['laptop', 'phone'] as const)('if the %s is killed', (who) => {
  it('nothing is lost at any step, and both can begin again', { timeout: 300_000 }, async () => {
    await relay()
    const [laptop] = await laptopAndPhone()
    const { issuerDid: audience = '' } = laptop.vault.getSnapshot()
    const { cid } = await laptop.within(() =>
      laptop.vault.tokens.grant({ audience_did: audience, command: '/msg/send' }),
    )
    let [at, isKilled] = [0, true]
    for (; isKilled; at += 1) {
      const phone = await new Device().start()
      const victim = who === 'laptop' ? laptop : phone
      let left = at
      isKilled = false
      const killed = new Promise<void>((resolve) => {
        wire.instead = (path) => {
          if (TestBrowser.here !== victim.browser) return undefined
          left -= 1
          if (left >= 0) return undefined
          isKilled = true
          resolve()
          // It reaches no one any more.
          return away(path)
        }
      })
      const tried = tryToPair(laptop, phone)
      await Promise.race([tried, killed])
      if (isKilled) {
        await Promise.all([laptop.devices.cancelPairing(), phone.devices.cancelPairing()])
        await victim.restart()
      }
      wire.instead = () => undefined
      await tried
      await laptop.until(isInStep)
      expect(await laptop.cids()).toEqual([cid])
      if (phone.vault.getSnapshot().phase === 'empty') {
        await paired(laptop, phone)
        await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof() })])
      }
      await phone.until(isInStep)
      expect(await phone.cids()).toEqual([cid])
      await phone.within(() => phone.vault.cleanup())
    }
    expect(at).toBeGreaterThan(8)
  })
})
