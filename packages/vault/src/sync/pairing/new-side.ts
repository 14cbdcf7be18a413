import type { Enclave } from '@keyhole/enclave'
import { callDevice, type DeviceAnswer, isRefused } from '../device-calls.ts'
import { Relay } from '../relay.ts'
import { RelayFailure } from '../relay-failure.ts'
import type { RelayPlace } from '../relay-http.ts'
import { isHead } from '../stored-records.ts'
import { Mailboxes } from './mailboxes.ts'
import { pairingText } from './pairing-text.ts'

/** The most pages, and characters in them, that are read to join: more than a relay stores of one account. */
const MOST_PAGES = 400
const MOST_READ = 128 << 20
/** The most characters of heads: the enclave takes 16 MiB in one call. */
const MOST_HEADS = 8 << 20

/** What a new device gets from the old one. */
export interface Joined {
  readonly account: string
  readonly root: string
  readonly made: DeviceAnswer<'join_devices'>
}

/** A device that is being added, on the new device. Its keys are in its enclave alone until it has joined. */
export class NewSide {
  readonly #enclave: Enclave
  readonly #place: RelayPlace
  readonly #mailboxes: Mailboxes
  #offer: { readonly account: string; readonly root: string } | undefined
  #permission: string | undefined

  private constructor(enclave: Enclave, place: RelayPlace) {
    this.#enclave = enclave
    this.#place = place
    this.#mailboxes = new Mailboxes({
      ...place,
      authorize: async (message, call, relay) =>
        await callDevice(enclave, 'sign_mailbox_call', { message, call, relay }),
    })
  }

  /**
   * Makes the device's keys and its code. The first message is at the relay before the code is shown.
   * @param enclave one with devices and without an account
   * @throws RelayFailure, VaultError
   */
  static async begin(
    enclave: Enclave,
    place: RelayPlace,
  ): Promise<{
    readonly side: NewSide
    readonly text: string
    readonly code: string
    readonly life: number
  }> {
    await callDevice(enclave, 'make_device', {})
    const { pairing_code: code, message } = await callDevice(enclave, 'begin_pairing', {})
    const side = new NewSide(enclave, place)
    const life = await side.#mailboxes.open(1)
    await side.#mailboxes.open(2)
    await side.#mailboxes.write(1, message)
    return { side, code, text: pairingText(code, place.url), life }
  }

  /** The digits to compare, once the old device has read the code. @throws RelayFailure, VaultError */
  async digits(): Promise<string> {
    const message = await this.#mailboxes.wait(2)
    // Before the answer, because the old device writes to it after that.
    await this.#mailboxes.open(4)
    const revealed = await callDevice(this.#enclave, 'reveal_pairing', { message })
    await this.#mailboxes.deliver(3, revealed.message)
    this.#offer = { account: revealed.account, root: revealed.root }
    return revealed.digits
  }

  /**
   * Opens the account in the enclave, once the old device has named this one. Call it after a person has confirmed the
   * digits. It may be called again after a failure.
   * @throws RelayFailure, VaultError
   */
  async join(): Promise<Joined> {
    if (!this.#offer) throw new Error('The digits come first.')
    const offer = this.#offer
    const permission = this.#permission ?? (await this.#welcome())
    this.#permission = permission
    const read = async () => {
      const records = await this.#readHeads(permission)
      return await callDevice(this.#enclave, 'join_devices', { ...offer, records })
    }
    // A relay of several machines may show the head that names this device a moment later.
    const isLate = (error: unknown) => isRefused(error, 'NotMember')
    return { ...offer, made: await this.#mailboxes.whileOpen(4, read, isLate) }
  }

  async #welcome(): Promise<string> {
    const message = await this.#mailboxes.wait(4)
    return (await callDevice(this.#enclave, 'open_pairing', { message })).permission
  }

  /** The account's heads. Everything else is read once the device has joined. */
  async #readHeads(permission: string): Promise<readonly string[]> {
    const relay = new Relay({
      ...this.#place,
      authorize: async (call, audience) =>
        (await callDevice(this.#enclave, 'sign_relay_call', { call, relay: audience, permission })).token,
    })
    const heads: string[] = []
    let [from, read, length] = [1, 0, 0]
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { records } = await relay.read(from)
      if (records.length === 0) return heads
      from += records.length
      for (const record of records) {
        read += record.length
        if (!isHead(record)) continue
        heads.push(record)
        length += record.length
      }
      if (read > MOST_READ || length > MOST_HEADS) break
    }
    throw new RelayFailure('nonsense')
  }
}
