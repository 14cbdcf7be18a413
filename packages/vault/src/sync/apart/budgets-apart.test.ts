// Random histories of an account's devices, of which any may be cut off: no mandate is ever overspent, and its count is exact.
import { expect, it } from 'vitest'
import { passkeyProof } from '../../test/opening.ts'
import { Device, isInStep, laptopAndPhone, nameOf, paired, relay, wire } from '../../test/paired-vaults.ts'
import { separateBrowsers, TestBrowser } from '../../test/two-browsers.ts'

separateBrowsers()

const HISTORIES = Number(process.env.KEYHOLE_HISTORIES ?? 2)
const FROM = Number(process.env.KEYHOLE_FROM ?? 1)
const STEPS = 40
const ORIGIN = 'https://shop.example'
const PAYEE = 'did:web:shop.example'

/** What a test knows of a mandate: its limits, and what was authorised under it anywhere. */
interface Spent {
  readonly cid: string
  readonly amount: number
  readonly payments: number
  used: number
  count: number
}

/** Numbers that are the same for the same seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

class History {
  readonly devices: Device[] = []
  readonly mandates: Spent[] = []
  readonly #cut = new Set<TestBrowser>()
  readonly #next: (below: number) => number
  #orders = 0
  tried = 0

  constructor(seed: number) {
    this.#next = numbersOf(seed)
  }

  async begin(): Promise<void> {
    await relay()
    const [laptop, phone] = await laptopAndPhone()
    const tablet = await new Device().start()
    for (const [device, name] of [
      [phone, 'Phone'],
      [tablet, 'Tablet'],
    ] as const) {
      await paired(laptop, device)
      await Promise.all([device.devices.join(), laptop.devices.add({ proof: passkeyProof(), name })])
      await laptop.until((state) => isInStep(state) && state.devices.every(({ lastHeard }) => lastHeard))
    }
    this.devices.push(laptop, phone, tablet)
    wire.instead = () =>
      TestBrowser.here && this.#cut.has(TestBrowser.here)
        ? Promise.reject(new TypeError('Failed to fetch'))
        : undefined
  }

  #any<T>(all: readonly T[]): T {
    const one = all[this.#next(all.length)]
    if (one === undefined) throw new Error('There is none.')
    return one
  }

  async step(): Promise<void> {
    const device = this.#any(this.devices)
    const kind = this.#next(20)
    if (kind < 3) this.#cut.add(device.browser)
    else if (kind < 5) await this.#heal(device)
    else if (kind < 7 || this.mandates.length === 0) await this.#make(device)
    else if (kind < 15) await this.#pay(device, this.#any(this.mandates))
    else if (kind < 17) {
      const one = this.#any(this.mandates)
      await Promise.all(this.devices.map((each) => this.#pay(each, one)))
    } else if (kind < 18)
      await nameOf(device.within(() => device.vault.mandates.end(this.#any(this.mandates).cid)))
    else if (kind < 19) await device.restart()
    else await this.meet()
  }

  async #heal(device: Device): Promise<void> {
    this.#cut.delete(device.browser)
    await device.devices.retry()
  }

  /** All are connected, and have everything. */
  async meet(): Promise<void> {
    for (const device of this.devices) await this.#heal(device)
    for (const device of this.devices) await device.until((state) => isInStep(state) && !state.waitsFor)
  }

  async #make(device: Device): Promise<void> {
    const [amount, payments] = [(20 + this.#next(40)) * 100, 2 + this.#next(5)]
    const terms = {
      ...{ payees: [PAYEE], max: 2_000, currency: 'GBP' },
      budget: { period: 'month' as const, amount, payments },
    }
    const { mandate } = await device.within(() => device.vault.mandates.make(terms))
    this.mandates.push({ cid: mandate.cid, amount, payments, used: 0, count: 0 })
  }

  async #pay(device: Device, one: Spent): Promise<void> {
    this.#orders += 1
    this.tried += 1
    const asked = { origin: ORIGIN, currency: 'GBP', order: `A-${this.#orders}` }
    const value = `${1 + this.#next(20)}.00`
    const name = await nameOf(
      device.within(async () => {
        const options = { mandate: one.cid, byItself: true }
        const paid = await device.vault.payments.authorize({ ...asked, value }, options)
        one.used += paid.amount
        one.count += 1
      }),
    )
    if (name !== 'nothing was refused') expect(REFUSED).toContain(name)
  }

  /** The mandates under which more was authorised than they allow. */
  get overspent(): readonly Spent[] {
    return this.mandates.filter(({ used, amount, count, payments }) => used > amount || count > payments)
  }
}

/** Why a payment may be refused here. Anything else is a fault. */
const REFUSED = ['MandateElsewhere', 'BudgetExceeded', 'MandateEnded', 'UnknownMandate']

it('no budget is overspent under any partition', { timeout: 3_600_000 }, async () => {
  const sums = { tried: 0, authorised: 0, overspent: 0 }
  for (let seed = FROM; seed < FROM + HISTORIES; seed += 1) {
    const history = new History(seed)
    await history.begin()
    for (let step = 0; step < STEPS; step += 1) {
      await history.step()
      expect(history.overspent, `seed ${seed}, step ${step}`).toEqual([])
    }
    await history.meet()
    for (const { cid, used, count } of history.mandates) {
      const all = await Promise.all(
        history.devices.map((each) => each.within(() => each.vault.mandates.list())),
      )
      const keeper = all
        .map((list) => list.find((each) => each.cid === cid))
        .find((each) => each && !each.keeper)
      expect(keeper?.used, `seed ${seed}: the count of ${cid}`).toMatchObject({
        amount: used,
        payments: count,
      })
    }
    sums.tried += history.tried
    sums.authorised += history.mandates.reduce((sum, { count }) => sum + count, 0)
    sums.overspent += history.overspent.length
    for (const device of history.devices) await device.within(() => device.vault.cleanup())
  }
  console.log(
    `Budgets: ${HISTORIES} histories, ${sums.tried} tried, ${sums.authorised} authorised, ${sums.overspent} overspent`,
  )
})
