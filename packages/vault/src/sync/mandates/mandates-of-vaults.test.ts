import { describe, expect, it } from 'vitest'
import type { Mandate, MandateTerms } from '../../enclave/mandate.ts'
import { openedByPasskey, passkeyProof } from '../../test/opening.ts'
import {
  Device,
  isInStep,
  laptopAndPhone,
  nameOf,
  paired,
  RELAY,
  relay,
  wire,
} from '../../test/paired-vaults.ts'
import { separateBrowsers } from '../../test/two-browsers.ts'

separateBrowsers()

const ORIGIN = 'https://shop.example'
const PAYEE = 'did:web:shop.example'
const TERMS: MandateTerms = {
  ...{ payees: [PAYEE], max: 5_000, currency: 'GBP' },
  budget: { period: 'month', amount: 20_000, payments: 10 },
}
const FILE = 'four horses under one old roof'
const asked = (order: string) => ({ origin: ORIGIN, value: '10.00', currency: 'GBP', order })

const mandatesOf = (device: Device) => device.within(() => device.vault.mandates.list())
const make = (device: Device, terms: MandateTerms = TERMS) =>
  device.within(() => device.vault.mandates.make(terms))
const pay = (device: Device, cid: string, order: string) =>
  device.within(() => device.vault.payments.authorize(asked(order), { mandate: cid, byItself: true }))
const answer = (device: Device, request: string) =>
  device.within(() => device.vault.payments.countersign(request))

/** Resolves once a device's mandates are as a test wants them. */
async function shows(device: Device, is: (mandates: readonly Mandate[]) => boolean): Promise<void> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stop = device.vault.on('vault:changed', () => {
        stop()
        resolve()
      })
    })
    if (is(await mandatesOf(device))) return
    await changed
  }
}

async function join(laptop: Device, phone: Device): Promise<void> {
  await paired(laptop, phone)
  await Promise.all([phone.devices.join(), laptop.devices.add({ proof: passkeyProof(), name: 'Phone' })])
  await laptop.until((state) => isInStep(state) && state.devices.every(({ lastHeard }) => lastHeard))
}

async function together(): Promise<[Device, Device]> {
  await relay()
  const [laptop, phone] = await laptopAndPhone()
  await join(laptop, phone)
  return [laptop, phone]
}

/** A holder of a mandate, in a browser of its own, and what it asks with. */
async function holder(): Promise<{
  readonly did: string
  readonly ask: (owner: string, proof: string, order: string) => Promise<string>
}> {
  const device = await new Device().start()
  await device.within(() => device.vault.create(openedByPasskey()))
  return {
    did: device.vault.getSnapshot().issuerDid ?? '',
    ask: async (owner, proof, order) => {
      const invoked = await device.within(() =>
        device.vault.tokens.invoke({
          command: '/payment/request',
          args: { payee: PAYEE, amount: 1_000, currency: 'GBP', order },
          subject_did: owner,
          proof_token: proof,
        }),
      )
      return invoked.token
    },
  }
}

describe('a mandate of an account on two devices', () => {
  it('is shown on both, and counted on the one that made it', async () => {
    const [laptop, phone] = await together()
    const agent = await holder()
    const { mandate, token } = await make(laptop, { ...TERMS, audienceDid: agent.did })
    await shows(phone, (all) => all.length === 1)
    const [there] = await mandatesOf(phone)
    expect(there).toEqual({ ...mandate, keeper: { id: expect.any(String), name: 'Laptop' } })
    expect((await mandatesOf(laptop))[0]?.keeper).toBeUndefined()

    // One request, on both devices at once: it's answered once.
    const owner = laptop.vault.getSnapshot().issuerDid ?? ''
    const request = await agent.ask(owner, token.token, 'A-1')
    const [here, refusal] = await Promise.all([answer(laptop, request), nameOf(answer(phone, request))])
    expect([here.amount, refusal]).toEqual([1_000, 'MandateElsewhere'])
    expect(await nameOf(answer(laptop, request))).toBe('Replayed')
    await expect(answer(phone, request)).rejects.toMatchObject({ details: { args: { device: 'Laptop' } } })
    // The phone sees what is left.
    await shows(phone, ([each]) => each?.remaining.payments === 9)
    expect((await mandatesOf(phone))[0]?.used).toMatchObject({ amount: 1_000, payments: 1 })
  })

  it('is counted on no other device without the relay either', async () => {
    const [laptop, phone] = await together()
    const { mandate } = await make(laptop)
    await shows(phone, (all) => all.length === 1)
    wire.instead = () => Promise.reject(new TypeError('Failed to fetch'))
    for (let order = 0; order < 10; order += 1) {
      await pay(laptop, mandate.cid, `A-${order}`)
      expect(await nameOf(pay(phone, mandate.cid, `B-${order}`))).toBe('MandateElsewhere')
    }
    expect(await nameOf(pay(laptop, mandate.cid, 'A-10'))).toBe('BudgetExceeded')
    // One that is made without the relay can be used at once. The others hear of it later.
    const { mandate: other } = await make(phone)
    await pay(phone, other.cid, 'C-1')
    wire.instead = () => undefined
    for (const device of [laptop, phone]) await device.devices.retry()
    await shows(laptop, (all) => all.find(({ cid }) => cid === other.cid)?.keeper?.name === 'Phone')
    await shows(phone, (all) => all.find(({ cid }) => cid === mandate.cid)?.remaining.payments === 0)
  })

  it('from before it had devices is counted where it was', async () => {
    await relay()
    const [laptop, phone] = [await new Device().start(), await new Device().start()]
    await laptop.within(() => laptop.vault.create(openedByPasskey({ label: 'Ada' })))
    const { mandate } = await make(laptop)
    await pay(laptop, mandate.cid, 'A-1')
    await laptop.devices.start({ relay: RELAY, proof: passkeyProof(), name: 'Laptop' })
    await laptop.until(isInStep)
    await join(laptop, phone)
    await shows(phone, ([each]) => each?.keeper?.name === 'Laptop' && each.remaining.payments === 9)
    await pay(laptop, mandate.cid, 'A-2')
  })

  it('that a backup has brought to another device is not counted twice', async () => {
    const [laptop, phone] = await together()
    // Neither has told of anything yet.
    wire.instead = () => Promise.reject(new TypeError('Failed to fetch'))
    const { mandate } = await make(laptop)
    const { text } = await laptop.within(() =>
      laptop.vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE }),
    )
    await phone.within(() => phone.vault.importVault({ text, exportPassphrase: FILE }))
    expect(await nameOf(pay(phone, mandate.cid, 'B-1'))).toBe('MandateElsewhere')
    await pay(laptop, mandate.cid, 'A-1')
    wire.instead = () => undefined
    for (const device of [phone, laptop]) await device.devices.retry()
    await shows(phone, ([each]) => each?.keeper?.name === 'Laptop')
    expect(await nameOf(pay(phone, mandate.cid, 'B-2'))).toBe('MandateElsewhere')
    await pay(laptop, mandate.cid, 'A-2')
  })

  it('of a removed device is counted nowhere, and can be ended', async () => {
    const [laptop, phone] = await together()
    const { mandate } = await make(laptop)
    await shows(phone, (all) => all.length === 1)
    const { devices } = await phone.devices.state()
    const lost = devices.find(({ name }) => name === 'Laptop')?.id ?? ''
    await phone.devices.remove({ device: lost, proof: passkeyProof() })
    await laptop.devices.retry()
    await laptop.until(({ isRemoved }) => isRemoved)
    expect(await nameOf(pay(laptop, mandate.cid, 'A-1'))).toBe('DeviceRemoved')
    expect(await nameOf(pay(phone, mandate.cid, 'B-1'))).toBe('MandateElsewhere')
    const ended = await phone.within(() => phone.vault.mandates.end(mandate.cid))
    expect(ended).toMatchObject({ ended: true, keeper: { name: 'Laptop' } })
    expect((await mandatesOf(phone))[0]?.ended).toBe(true)
    expect(await nameOf(pay(phone, mandate.cid, 'B-2'))).toBe('MandateEnded')
    const { mandate: next } = await make(phone)
    await pay(phone, next.cid, 'C-1')
  })

  it('that another device has ended authorises nothing more', async () => {
    const [laptop, phone] = await together()
    const { mandate } = await make(laptop)
    await shows(phone, (all) => all.length === 1)
    await phone.within(() => phone.vault.tokens.revoke({ cid: mandate.cid }))
    await shows(laptop, ([each]) => each?.ended ?? false)
    expect(await nameOf(pay(laptop, mandate.cid, 'A-1'))).toBe('MandateEnded')
  })
})
