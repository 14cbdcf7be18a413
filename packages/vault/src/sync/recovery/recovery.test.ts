// An account that is opened by nothing but its recovery code and its relay.
import { describe, expect, it, vi } from 'vitest'
import { VaultClient } from '../../client/vault-client.ts'
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

const newCode = (device: Device) =>
  device.within(() => device.vault.unlockMethods.newRecoveryCode(passkeyProof()))
const recover = (device: Device, code: string) => device.devices.recover({ code, relay: RELAY })

/** Whether the heads that a device proposes from now on may be sealed. */
function sealing({ vault: { client } }: Device): () => readonly boolean[] {
  if (!(client instanceof VaultClient)) throw new Error('It has no client.')
  const calls = vi.spyOn(client.enclave, 'callByName')
  return () => {
    const proposed = calls.mock.calls.filter(([name]) => String(name) === 'propose_head')
    const inputs = proposed.map(([, input]) => Object(input)).filter(({ change }) => !('join' in change))
    return inputs.map((input) => input.may_seal === true)
  }
}

const acts = async (device: Device) =>
  (await device.within(() => device.vault.activity.read())).lines.map(({ act }) => act)

/** A laptop with a code that opens its account, a token, and a browser with nothing. */
async function lost(): Promise<{ laptop: Device; tablet: Device; code: string; cid: string | undefined }> {
  const [laptop, tablet] = await laptopAndPhone()
  const { issuerDid: audience = '' } = laptop.vault.getSnapshot()
  const { cid } = await laptop.within(() =>
    laptop.vault.tokens.grant({ audience_did: audience, command: '/msg/send' }),
  )
  const code = await newCode(laptop)
  await laptop.until((state) => isInStep(state) && state.recoveryCodeOpens === true)
  return { laptop, tablet, code, cid }
}

describe('a recovery code and the relay’s address', () => {
  it('open the account in a browser that has nothing else', async () => {
    await relay()
    const { laptop, tablet, code, cid } = await lost()
    const { address } = laptop.vault.getSnapshot()
    // The laptop is gone.
    await laptop.within(() => laptop.vault.cleanup())
    const opened = await recover(tablet, code.toLowerCase().replaceAll('-', ' '))
    expect(opened).toMatchObject({ address, active: true })
    expect(tablet.vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address })
    const state = await tablet.until(isInStep)
    expect(await tablet.cids()).toEqual([cid])
    expect(state.devices.map(({ isThis, name }) => [isThis, name])).toEqual([
      [false, 'Laptop'],
      [true, undefined],
    ])
    expect(state.recoveryCodeOpens).toBe(true)
    expect(await acts(tablet)).toContain('recoverAccount')
    // It opens by the code after it was locked, and can do what any device can.
    await tablet.within(() => tablet.vault.lock())
    await tablet.within(() => tablet.vault.unlock({ recoveryCode: code }))
    await tablet.until(isInStep)
    expect(await tablet.within(() => tablet.vault.unlockMethods.recoveryCodeConfirmed())).toBe(true)
    const before = (await tablet.devices.state()).devices.find(({ isThis }) => !isThis)?.id ?? ''
    await tablet.devices.remove({ device: before, proof: { recoveryCode: code } })
    await tablet.until(({ devices }) => devices.length === 1)
    await tablet.within(() =>
      tablet.vault.unlockMethods.setPassphrase({ recoveryCode: code }, 'correct horse battery staple'),
    )
    // The code still opens it, on one more.
    await tablet.until(isInStep)
    const other = await new Device().start()
    await recover(other, code)
    await other.until(isInStep)
    expect(await other.cids()).toEqual([cid])
  })

  it('open it beside other devices, which go on', async () => {
    await relay()
    const { laptop, tablet, code, cid } = await lost()
    const phone = await new Device().start()
    await paired(laptop, phone)
    await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
    await phone.until((state) => isInStep(state) && state.recoveryCodeOpens === true)
    await recover(tablet, code)
    await tablet.until(isInStep)
    for (const device of [laptop, phone]) await device.until(({ devices }) => devices.length === 3)
    const { issuerDid: audience = '' } = tablet.vault.getSnapshot()
    const made = await tablet.within(() =>
      tablet.vault.tokens.grant({ audience_did: audience, command: '/msg/send' }),
    )
    const all = [cid, made.cid].sort()
    await vi.waitFor(async () => expect(await phone.cids()).toEqual(all), { timeout: 20_000 })
  })

  it('open it beside an account that the browser has', async () => {
    await relay()
    const { laptop, tablet, code } = await lost()
    const own = await tablet.within(() => tablet.vault.create(openedByPasskey({ label: 'Work' }, 9)))
    const opened = await recover(tablet, code)
    await tablet.until(isInStep)
    const { accounts } = tablet.vault.getSnapshot()
    expect(accounts.map(({ address }) => address).sort()).toEqual([own.address, opened.address].sort())
    // What is here already is left as it is.
    expect(await nameOf(recover(laptop, code))).toBe('AccountHere')
    expect(laptop.vault.getSnapshot()).toMatchObject({ phase: 'unlocked', address: opened.address })
    await laptop.until(isInStep)
  })
})

describe('nothing is opened, and nothing stored,', () => {
  it('by another code, another relay, or a code that was replaced', async () => {
    await relay()
    const { laptop, tablet, code } = await lost()
    expect(await nameOf(recover(tablet, 'hello'))).toBe('RecoveryCodeLength')
    expect(await nameOf(recover(tablet, '0000-0000-0000-0000-0000-0000-001'))).toBe('RecoveryCodeMistyped')
    expect(await nameOf(recover(tablet, '0000-0000-0000-0000-0000-0000-000'))).toBe('RecoveryNotFound')
    // The code that the account was made with, before it had devices.
    expect(await nameOf(recover(tablet, laptop.code))).toBe('RecoveryNotFound')
    const at = (url: string) => nameOf(tablet.devices.recover({ code, relay: url }))
    expect(await at('http://vault.example/relay')).toBe('RelayAddressInvalid')
    wire.instead = () => new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } })
    expect(await at('https://other.example')).toBe('RelayWithoutDevices')
    wire.instead = away
    expect(await at(RELAY)).toBe('RelayUnreachable')
    wire.instead = () => undefined
    const next = await newCode(laptop)
    await laptop.until((state) => isInStep(state) && state.recoveryCodeOpens === true)
    expect(await nameOf(recover(tablet, code))).toBe('RecoveryCodeReplaced')
    // Also if the relay has not heard of it.
    const { devices } = await laptop.devices.state()
    expect(devices).toHaveLength(1)
    expect(tablet.vault.getSnapshot().phase).toBe('empty')
    await recover(tablet, next)
    await tablet.until(isInStep)
  })

  it('if a relay shows something else at the code’s place, or nonsense', async () => {
    await relay()
    const { laptop, tablet, code } = await lost()
    const other = await new Device().start()
    await other.within(() => other.vault.create(openedByPasskey({}, 9)))
    await other.devices.start({ relay: RELAY, proof: passkeyProof(9) })
    await other.until(isInStep)
    const puts: string[] = []
    wire.instead = (path, init) => {
      if (path === '/records/append') puts.push(String(JSON.parse(String(init.body)).record))
      return undefined
    }
    await other.within(() => other.vault.unlockMethods.newRecoveryCode(passkeyProof(9)))
    await other.until((state) => state.recoveryCodeOpens === true)
    const before = Buffer.alloc(32).toString('base64url')
    // The first call of each try only asks whether there is a relay.
    let reads = 0
    const isReading = () => {
      if (TestBrowser.here !== tablet.browser) return false
      reads += 1
      return reads % 2 === 0
    }
    const answers = [
      () => Response.json({ before, records: puts }),
      () => Response.json({ before, records: [] }),
      () => Response.json({ before: null, records: ['AwAA', 'Aw'] }),
    ]
    for (const answer of answers) {
      wire.instead = (path) => (path === '/records/read' && isReading() ? answer() : undefined)
      expect(await nameOf(recover(tablet, code))).toBe('RecoveryNotFound')
    }
    wire.instead = (path) => (path === '/records/read' && isReading() ? Response.json([null]) : undefined)
    expect(await nameOf(recover(tablet, code))).toBe('RelayNonsense')
    expect(tablet.vault.getSnapshot().phase).toBe('empty')
    wire.instead = () => undefined
    await laptop.until(isInStep)
    await recover(tablet, code)
  })

  it('if it can’t be stored; then it is tried again', async () => {
    await relay()
    const { tablet, code, cid } = await lost()
    const free = fillDisk('state')
    await expect(recover(tablet, code)).rejects.toMatchObject({ details: { quota: true } })
    free()
    expect(tablet.vault.getSnapshot().phase).toBe('empty')
    await recover(tablet, code)
    await tablet.until(isInStep)
    expect(await tablet.cids()).toEqual([cid])
  })
})
describe('a code that is made', () => {
  it('while a device may not read what it adds has no device, and one that is made later has', async () => {
    const world = await relay()
    const { laptop, tablet, code, cid } = await lost()
    // The tablet is named, and gone before it has said anything.
    wire.instead = async (path, init) => {
      if (path !== '/records/append' || TestBrowser.here !== tablet.browser) return undefined
      await world.relay.fetch(new Request(RELAY + path, init), { address: '192.0.2.1' })
      return await away(path)
    }
    expect(await nameOf(recover(tablet, code))).toBe('RelayUnreachable')
    await tablet.restart()
    wire.instead = () => undefined
    await laptop.devices.retry()
    const { devices } = await laptop.until((now) => now.devices.length === 2)
    const ghost = devices.find(({ isThis }) => !isThis)
    expect(devices.map(({ isThis, isOutdated = false }) => [isThis, isOutdated])).toEqual([
      [true, false],
      [false, true],
    ])
    const seals = sealing(laptop)
    const plain = await newCode(laptop)
    // It can’t be told whether the tablet reads sealed heads.
    expect(seals()).toEqual([false])
    await laptop.until((now) => isInStep(now) && now.recoveryCodeOpens === undefined)
    // The code before is replaced all the same.
    expect(await nameOf(recover(tablet, code))).toBe('RecoveryCodeReplaced')
    expect(await nameOf(recover(tablet, plain))).toBe('RecoveryNotFound')
    await laptop.devices.remove({ device: ghost?.id ?? '', proof: passkeyProof() })
    const next = await newCode(laptop)
    expect(seals().at(-1)).toBe(true)
    await laptop.until((now) => isInStep(now) && now.recoveryCodeOpens === true)
    await recover(tablet, next)
    await tablet.until(isInStep)
    expect(await tablet.cids()).toEqual([cid])
    await laptop.until(
      (now) => now.devices.length === 2 && now.devices.every(({ isOutdated }) => !isOutdated),
    )
  })
})

describe('what the relay has for a code', () => {
  it('is given to it again if it forgot it, by any device', async () => {
    await relay()
    const { laptop, tablet, code, cid } = await lost()
    // A new relay at the same address, with nothing.
    await relay()
    await laptop.devices.retry()
    await laptop.until(({ wentBack }) => wentBack > 0)
    await laptop.until((state) => isInStep(state) && state.recoveryCodeOpens === true)
    await recover(tablet, code)
    await tablet.until(isInStep)
    expect(await tablet.cids()).toEqual([cid])
    // The laptop is gone, and the relay forgets again.
    await laptop.within(() => laptop.vault.cleanup())
    await relay()
    await tablet.devices.retry()
    await tablet.until(({ wentBack }) => wentBack > 0)
    await tablet.until((state) => isInStep(state) && state.recoveryCodeOpens === true)
    const other = await new Device().start()
    await recover(other, code)
    await other.until(isInStep)
    expect(await other.cids()).toEqual([cid])
  })

  it('is there before the code is shown, or the state says that it isn’t', async () => {
    await relay()
    const [laptop, tablet] = await laptopAndPhone()
    expect((await laptop.devices.state()).recoveryCodeOpens).toBeUndefined()
    // The relay has no room at that place.
    let isFull = true
    wire.instead = async (path, init) => {
      if (path !== '/records/append' || !isFull) return undefined
      // Its first byte is 3.
      const isPlace = /^A[w-z0-9_-]/.test(JSON.parse(String(init.body)).record)
      return isPlace ? Response.json({ error: 'full' }, { status: 403 }) : undefined
    }
    const code = await newCode(laptop)
    await laptop.until(({ recoveryCodeOpens }) => recoveryCodeOpens === false)
    expect(await nameOf(recover(tablet, code))).toBe('RecoveryNotFound')
    isFull = false
    await laptop.devices.retry()
    await laptop.until(({ recoveryCodeOpens }) => recoveryCodeOpens === true)
    await recover(tablet, code)
    await tablet.until(isInStep)
  })
})

describe('if the new browser', () => {
  it('is killed at any call, nothing is lost, and it can begin again', { timeout: 300_000 }, async () => {
    await relay()
    const { laptop, code, cid } = await lost()
    let [at, isKilled] = [0, true]
    for (; isKilled; at += 1) {
      const tablet = await new Device().start()
      let left = at
      isKilled = false
      const killed = new Promise<void>((resolve) => {
        wire.instead = (path) => {
          if (TestBrowser.here !== tablet.browser) return undefined
          left -= 1
          if (left >= 0) return undefined
          isKilled = true
          resolve()
          // It reaches no one any more.
          return away(path)
        }
      })
      const tried = recover(tablet, code).catch(() => undefined)
      await Promise.race([tried, killed])
      if (isKilled) await tablet.restart()
      wire.instead = () => undefined
      await tried
      await laptop.until(isInStep)
      expect(await laptop.cids()).toEqual([cid])
      if (tablet.vault.getSnapshot().phase === 'empty') await recover(tablet, code)
      if (tablet.vault.getSnapshot().phase === 'locked')
        await tablet.within(() => tablet.vault.unlock({ recoveryCode: code }))
      await tablet.until(isInStep)
      expect(await tablet.cids()).toEqual([cid])
      await tablet.within(() => tablet.vault.cleanup())
    }
    expect(at).toBeGreaterThan(5)
  })

  it.each([
    ['before it arrives', false],
    ['once it has arrived', true],
  ])('loses the relay at any call %s, it goes on as the same device', async (_, arrives) => {
    const world = await relay()
    const { laptop, code, cid } = await lost()
    let [at, isAway, devices] = [0, true, 1]
    for (; isAway; at += 1) {
      const tablet = await new Device().start()
      let left = at
      isAway = false
      wire.instead = async (path, init) => {
        if (TestBrowser.here !== tablet.browser || isAway) return undefined
        left -= 1
        if (left >= 0) return undefined
        isAway = true
        if (arrives) await world.relay.fetch(new Request(RELAY + path, init), { address: '192.0.2.1' })
        return await away(path)
      }
      const tried = await recover(tablet, code).catch((error: unknown) => error)
      if (tablet.vault.getSnapshot().phase === 'empty') {
        expect(tried).toMatchObject({ details: { name: 'RelayUnreachable' } })
        await recover(tablet, code)
      }
      wire.instead = () => undefined
      await tablet.devices.retry()
      await tablet.until(isInStep)
      devices += 1
      const state = await laptop.until((now) => now.devices.length >= devices)
      expect(state.devices).toHaveLength(devices)
      expect(await tablet.cids()).toEqual([cid])
      await tablet.within(() => tablet.vault.cleanup())
    }
    expect(at).toBeGreaterThan(5)
  })
})

describe('the laptop', () => {
  it('is killed while it makes a code: the next start gives the relay what it lacks', async () => {
    await relay()
    const [laptop] = await laptopAndPhone()
    let [at, isKilled] = [0, true]
    for (; isKilled; at += 1) {
      let left = at
      isKilled = false
      const killed = new Promise<void>((resolve) => {
        wire.instead = (path) => {
          if (TestBrowser.here !== laptop.browser) return undefined
          left -= 1
          if (left >= 0) return undefined
          isKilled = true
          resolve()
          return away(path)
        }
      })
      const made = newCode(laptop).catch(() => undefined)
      await Promise.race([made, killed])
      if (isKilled) await laptop.restart()
      wire.instead = () => undefined
      const code = await made
      await laptop.devices.retry()
      const state = await laptop.until((now) => isInStep(now) && now.recoveryCodeOpens !== false)
      expect(state.devices).toHaveLength(1)
      if (code === undefined) continue
      const tablet = await new Device().start()
      await recover(tablet, code)
      await tablet.until(isInStep)
      const { devices } = await laptop.until((now) => now.devices.length === 2)
      const other = devices.find(({ isThis }) => !isThis)?.id ?? ''
      await laptop.devices.remove({ device: other, proof: passkeyProof() })
      await laptop.until((now) => now.devices.length === 1)
      await tablet.within(() => tablet.vault.cleanup())
    }
    expect(at).toBeGreaterThan(3)
  })
})
