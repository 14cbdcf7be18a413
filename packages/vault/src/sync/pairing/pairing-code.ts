/** What a new device shows. */
export interface PairingCode {
  /** What the QR code carries: the code, the relay where the device waits, and the DID of one that is to be limited. */
  readonly text: string
  /** To type, if the other device can't scan. */
  readonly code: string
  /** Until when it can be used: milliseconds since 1970. */
  readonly expiresAt: number
}
