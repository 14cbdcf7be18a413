import type { Enclave } from '@keyhole/enclave'
import { callDevice, type DeviceAnswer, isRefused } from '../device-calls.ts'
import type { Relay } from '../relay.ts'
import { RelayFailure } from '../relay-failure.ts'
import { recordIdOf } from '../stored/stored-records.ts'

type Code = DeviceAnswer<'recovery_records'>['codes'][number]

/** How often a relay that has said that it has a record is given it again, in milliseconds: it may have lost it. */
const AGAIN_AFTER = 6 * 3_600_000

export interface CodeParts {
  readonly enclave: Enclave
  readonly relay: Pick<Relay, 'put'>
  readonly now: () => number
}

/** The records that let a recovery code open the account from the relay, each at the place of its code. */
export class CodeRecords {
  readonly #parts: CodeParts
  #codes: readonly Code[] = []
  /** When the relay last said that it has a record, by the record's code. */
  readonly #put = new Map<string, number>()
  #wentBack = 0

  constructor(parts: CodeParts) {
    this.#parts = parts
  }

  /** The devices of recovery codes: no one has them, they are on paper. */
  get devices(): ReadonlySet<string> {
    return new Set(this.#codes.map(({ device }) => device))
  }

  /** Whether the relay has all of them; undefined if the account has no such code. */
  get areThere(): boolean | undefined {
    return this.#codes.length === 0 ? undefined : this.#codes.every(({ device }) => this.#put.has(device))
  }

  /** Looks up the account's codes: at first, and whenever it has taken in a head. @throws VaultError */
  async look(): Promise<void> {
    try {
      this.#codes = (await callDevice(this.#parts.enclave, 'recovery_records', {})).codes
    } catch (error) {
      // The next signed call says so.
      if (!isRefused(error, 'SharedDamaged')) throw error
      this.#codes = []
    }
  }

  /**
   * Gives the relay what it may lack. The calls are signed already, and do the same however often they are made.
   * @param wentBack how often the relay has forgotten something
   * @returns why it has to be given them again soon: it is away, or busy
   */
  async put(wentBack: number): Promise<RelayFailure | undefined> {
    if (wentBack !== this.#wentBack) this.#put.clear()
    this.#wentBack = wentBack
    const { relay, now } = this.#parts
    for (const { device, record, token } of this.#codes) {
      const last = this.#put.get(device)
      if (last !== undefined && Math.abs(now() - last) < AGAIN_AFTER) continue
      this.#put.delete(device)
      try {
        await relay.put(record, await recordIdOf(record), token)
        this.#put.set(device, now())
      } catch (error) {
        if (!(error instanceof RelayFailure)) throw error
        if (error.why === 'network' || error.why === 'busy') return error
      }
    }
    return undefined
  }
}
