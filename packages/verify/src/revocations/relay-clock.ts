/** Tells when a relay sent what it sent on one connection, by the clocks here. What arrived fastest says how far the clocks are apart. */
export class RelayClock {
  /** The least that each clock here was seen ahead of the relay's, in milliseconds. */
  #ahead: readonly number[] | undefined

  /**
   * @param said the relay's time, in milliseconds since 1970
   * @param arrival the time by each clock
   * @returns when it was sent by each clock, never later than it arrived
   */
  sentAt(said: number, arrival: readonly number[]): readonly number[] {
    const before = this.#ahead
    const ahead = arrival.map((time, each) =>
      Math.min(time - said, before?.[each] ?? Number.POSITIVE_INFINITY),
    )
    this.#ahead = ahead
    // The sum is rounded.
    return arrival.map((time, each) => Math.min(time, said + (ahead[each] ?? 0)))
  }
}
