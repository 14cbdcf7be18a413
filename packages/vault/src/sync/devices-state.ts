import type { PairingCode } from './pairing/pairing-code.ts'

/** What an account waits for before its devices are in step. */
export type DevicesWaitFor =
  /** The account is locked, or was unlocked before this browser knew that it's on several devices. */
  | 'unlock'
  /** Another tab keeps the devices in step. */
  | 'tab'
  /** The relay can't be reached. */
  | 'network'
  /** The relay is busy, and is asked again later. */
  | 'relay_busy'
  /** The relay has no room left for this account. */
  | 'relay_full'
  /** The relay doesn't accept this device. */
  | 'relay_refuses'
  /** The relay says that another device has removed this one. */
  | 'relay_revoked'
  /** This device's clock and the relay's differ by more than a minute. */
  | 'clock'
  /** The relay's answers break its own rules. */
  | 'relay_nonsense'
  /** The relay has shown devices different lists of the account's devices. They are joined once it shows both. */
  | 'heads'
  /** The relay has shown no list yet that names this device. So it doesn't know whether it is one of them. */
  | 'unnamed'
  /** What was read or written can't be stored: the disk may be full. */
  | 'storage'

/** One of the account's devices. */
export interface KnownDevice {
  readonly id: string
  readonly isThis: boolean
  /** It has keys of its own, and none of the account's. */
  readonly isLimited?: boolean
  /** What its owner calls it. */
  readonly name?: string
  /**
   * When it last said that it's there, by its own clock: milliseconds since 1970. A limited device says it once, after it
   * has joined.
   */
  readonly lastHeard?: number
  /**
   * It hasn't said that it reads all that this version writes: its own is older, or it never came. While there is one, a
   * new recovery code gets no device, and heads that show the relay unlock methods are not replaced by sealed ones.
   */
  readonly isOutdated?: boolean
}

/** A vault that is a limited device of another account, as it knows it. */
export interface LimitedState {
  /** The base URL of the other account's relay. */
  readonly relay: string
  /** Its id among the other account's devices, once it was opened. */
  readonly device?: string
  /** The other account has removed it. */
  readonly isRemoved: boolean
  readonly waitsFor?: DevicesWaitFor
  /** When the relay's list was last read to its end: milliseconds since 1970. */
  readonly lastRead?: number
}

/** How an account's devices are, as this one knows it. */
export interface DevicesState {
  /** Whether the account is on several devices, or may be. */
  readonly isOn: boolean
  /** The relay's base URL. */
  readonly relay?: string
  readonly waitsFor?: DevicesWaitFor
  /** This device was removed by another one. What was here stays here, and nothing is sent or read. */
  readonly isRemoved: boolean
  /** The account's devices, in the order in which they were added. */
  readonly devices: readonly KnownDevice[]
  /** Changes made here that the relay doesn't have yet. */
  readonly toSend: number
  /** Changes that are too long to be sent. They stay on this device. */
  readonly tooLong: number
  /** Records that other devices have named and the relay doesn't show. */
  readonly missing: number
  /** Removed devices of whose removal the relay doesn't know yet, if there are any. They can read nothing that is new. */
  readonly untold?: number
  /**
   * Changes of keys, unlock methods or devices that this device can't read, if there are any: the relay kept devices apart
   * while it was added. Another device passes them on, or this one reads them once someone gives a proof, as to remove a
   * device.
   */
  readonly unread?: number
  /**
   * Whether the recovery code and the relay's address open the account on a new device: false while the relay lacks what
   * that needs, undefined if the code was made before it could.
   */
  readonly recoveryCodeOpens?: boolean
  /**
   * The relay knows the account's address, public keys and unlock methods, if it does: an older version showed them. So it
   * can try passphrases.
   */
  readonly relayKnowsMethods?: boolean
  /** How often the relay forgot or replaced records. Devices send it what it lacks. */
  readonly wentBack: number
  /** When the relay's list was last read to its end: milliseconds since 1970. */
  readonly lastRead?: number
  /** If this account is a limited device of another one. Then it's on one device. */
  readonly limited?: LimitedState
  /** The code with which it waits to be one. */
  readonly waitsWith?: PairingCode
}

export const DEVICES_OFF: DevicesState = {
  isOn: false,
  isRemoved: false,
  devices: [],
  toSend: 0,
  tooLong: 0,
  missing: 0,
  wentBack: 0,
}
