import type { Enclave } from '@keyhole/enclave'
import { callDevice, type DeviceAnswer, isRefused } from '../device-calls.ts'
import { readHeads } from '../joining/account-heads.ts'
import { Relay } from '../relay.ts'
import type { RelayPlace } from '../relay-http.ts'
import { Mailboxes } from './mailboxes.ts'
import { pairingText } from './pairing-text.ts'

/** What a new device gets from the old one. */
export interface Joined {
  readonly account: string
  readonly root: string
  readonly made: DeviceAnswer<'join_devices'>
}

/** What the old device offers: an account, its heads, and the new device's permission at its relay. */
export interface Offered {
  readonly account: string
  readonly root: string
  readonly records: readonly string[]
  readonly permission: string
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
   * @param enclave one with devices, and without an account unless the device is to be a limited one
   * @param did of the device's own key, if it is to be a limited one
   * @throws RelayFailure, VaultError
   */
  static async begin(
    enclave: Enclave,
    place: RelayPlace,
    did?: string,
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
    return { side, code, text: pairingText(code, place.url, did), life }
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
    const take = async ({ permission: _, ...given }: Offered) =>
      await callDevice(this.#enclave, 'join_devices', given)
    const { account, root, made } = await this.joinBy(take)
    return { account, root, made }
  }

  /** The same for a device that takes what it was offered in another way. @throws RelayFailure, VaultError */
  async joinBy<T>(
    take: (offered: Offered) => Promise<T>,
  ): Promise<{ readonly account: string; readonly root: string; readonly made: T }> {
    if (!this.#offer) throw new Error('The digits come first.')
    const offer = this.#offer
    const permission = this.#permission ?? (await this.#welcome())
    this.#permission = permission
    const read = async () =>
      await take({ ...offer, permission, records: await readHeads(this.#relay(permission)) })
    // A relay of several machines may show the head that names this device a moment later.
    const isLate = (error: unknown) => isRefused(error, 'NotMember')
    return { ...offer, made: await this.#mailboxes.whileOpen(4, read, isLate) }
  }

  async #welcome(): Promise<string> {
    const message = await this.#mailboxes.wait(4)
    return (await callDevice(this.#enclave, 'open_pairing', { message })).permission
  }

  #relay(permission: string): Relay {
    return new Relay({
      ...this.#place,
      authorize: async (call, audience) =>
        (await callDevice(this.#enclave, 'sign_relay_call', { call, relay: audience, permission })).token,
    })
  }
}
