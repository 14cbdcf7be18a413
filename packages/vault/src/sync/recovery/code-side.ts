import type { Enclave } from '@keyhole/enclave'
import { callDevice, type DeviceAnswer, isRefused } from '../device-calls.ts'
import { readHeads } from '../joining/account-heads.ts'
import { Relay } from '../relay.ts'
import { RelayFailure } from '../relay-failure.ts'
import { RelayHttp, type RelayPlace } from '../relay-http.ts'
import { recordIdOf } from '../stored/stored-records.ts'
import { recoveryRefused } from './recovery-refusals.ts'

/** How often it is tried again if another device was faster, or the relay shows a head late. */
const MOST_TRIES = 4
/** How long it waits for a relay that shows a head late, in milliseconds. */
const LATE = 1_000

/** What a recovery code opens. */
export interface Recovered {
  readonly account: string
  readonly root: string
  readonly made: DeviceAnswer<'join_devices'>
}

/** A new device that opens an account by its recovery code. Its keys, and those of the code, are in its enclave alone. */
export class CodeSide {
  readonly #enclave: Enclave
  readonly #place: RelayPlace
  readonly #relay: Relay
  readonly #offer: { readonly account: string; readonly root: string }

  private constructor(enclave: Enclave, place: RelayPlace, offer: { account: string; root: string }) {
    this.#enclave = enclave
    this.#place = place
    this.#offer = offer
    this.#relay = new Relay({
      ...place,
      authorize: async (call, audience) =>
        (await callDevice(enclave, 'sign_relay_call', { call, relay: audience })).token,
    })
  }

  /**
   * Finds the account of a code.
   * @param enclave one with devices and without an account
   * @throws RelayFailure; VaultError `RecoveryCodeLength`, `RecoveryCodeMistyped`, `RecoveryNotFound`
   */
  static async find(enclave: Enclave, place: RelayPlace, code: string): Promise<CodeSide> {
    const { audience } = new RelayHttp(place)
    const { token } = await callDevice(enclave, 'begin_recovery', { code, relay: audience })
    // Whatever a relay puts there besides is not read by the enclave.
    const { records } = await new Relay({ ...place, authorize: async () => token }).read(1)
    const { account, root } = await callDevice(enclave, 'open_recovery', { records })
    return new CodeSide(enclave, place, { account, root })
  }

  /**
   * Has a head name this device, and opens the account in the enclave. It may be called again after a failure: the device
   * is added once.
   * @throws RelayFailure; VaultError `RecoveryCodeReplaced`, `WrongRecoveryCode`
   */
  async join(): Promise<Recovered> {
    for (let tries = MOST_TRIES; ; tries -= 1) {
      const heads = await this.#heads()
      const { records } = await callDevice(this.#enclave, 'recover_account', { records: heads })
      try {
        const [head] = records
        if (head !== undefined) await this.#relay.append(head, await recordIdOf(head), heads.length)
        const read = head === undefined ? heads : await this.#heads()
        const made = await callDevice(this.#enclave, 'join_devices', { ...this.#offer, records: read })
        return { ...this.#offer, made }
      } catch (error) {
        // Another device was faster, or a relay of several machines shows the head a moment later.
        const isConflict = error instanceof RelayFailure && error.why === 'conflict'
        const isLate = isRefused(error, 'NotMember')
        if ((!isConflict && !isLate) || tries === 0) throw error
        if (isLate) await new Promise<void>((resolve) => void this.#place.clock.after(LATE, resolve))
      }
    }
  }

  async #heads(): Promise<readonly string[]> {
    try {
      return await readHeads(this.#relay)
    } catch (error) {
      // The relay knows of the removal of the code's device.
      const isRevoked = error instanceof RelayFailure && error.rule === 'Revoked'
      throw isRevoked ? recoveryRefused('RecoveryCodeReplaced', error) : error
    }
  }
}
