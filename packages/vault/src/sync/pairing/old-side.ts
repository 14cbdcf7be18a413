import type { Enclave } from '@keyhole/enclave'
import { callDevice } from '../device-calls.ts'
import type { RelayPlace } from '../relay-http.ts'
import { Mailboxes } from './mailboxes.ts'

/** A device that is being added, on the device that adds it. */
export class OldSide {
  /** Six digits to compare with those on the new device. */
  readonly digits: string
  /** The new device's public keys. */
  readonly device: { readonly device: string; readonly sealing: string }
  /** Whether the log says that it was added. */
  isLogged = false
  readonly #enclave: Enclave
  readonly #mailboxes: Mailboxes
  /** The last message: the same one again if it has to be sent again. */
  #welcome: string | undefined

  private constructor(
    enclave: Enclave,
    mailboxes: Mailboxes,
    { digits, ...device }: { readonly digits: string; readonly device: string; readonly sealing: string },
  ) {
    this.#enclave = enclave
    this.#mailboxes = mailboxes
    this.digits = digits
    this.device = device
  }

  /**
   * Answers a new device that waits with this code.
   * @param enclave the account's, unlocked and with its device open
   * @throws RelayFailure; VaultError `PairingCode`, `PairingNotFound`, `PairingCodeUsed`, `PairingRefused`, `PairingExpired`
   */
  static async answer(enclave: Enclave, place: RelayPlace, code: string): Promise<OldSide> {
    const mailboxes = new Mailboxes({
      ...place,
      authorize: async (message, call, relay) =>
        await callDevice(enclave, 'sign_mailbox_call', { message, call, relay, code }),
    })
    const first = await mailboxes.take(1)
    const { message } = await callDevice(enclave, 'answer_pairing', { code, message: first })
    // Before the answer, because the new device writes to it after that.
    await mailboxes.open(3)
    await mailboxes.deliver(2, message)
    const { digits, device, sealing } = await callDevice(enclave, 'check_pairing', {
      message: await mailboxes.wait(3),
    })
    return new OldSide(enclave, mailboxes, { digits, device, sealing })
  }

  /** Lets the new device in, once a head names it. It may be called again after a failure. @throws RelayFailure, VaultError */
  async welcome(): Promise<void> {
    this.#welcome ??= (await callDevice(this.#enclave, 'finish_pairing', {})).message
    await this.#mailboxes.deliver(4, this.#welcome)
  }
}
