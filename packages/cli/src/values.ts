// What is written on a command line.
import { parseJson } from '@keyhole/enclave'
import { HolderError } from '@keyhole/holder'
import { isDid } from '@keyhole/verify/did'
import { wrongUsage } from './errors.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** A time such as `90s`, `30m`, `8h`, `7d` or `2w`, in seconds. @throws CommandError */
export function readTime(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,7})([smhdw])$/.exec(text) ?? []
  const seconds = Number(count) * (UNITS[unit] ?? 0)
  return seconds > 0
    ? seconds
    : wrongUsage(`${JSON.stringify(text)} is not a time. Write it as 30m, 8h or 7d.`)
}

/** Limits, each a statement of a policy in JSON. @throws CommandError */
export function readLimits(texts: readonly string[]): unknown[] {
  return texts.map((text) => {
    const statement = readJson(text, '--limit')
    return Array.isArray(statement)
      ? statement
      : wrongUsage('A limit is a list, such as ["==", ".name", "read"].')
  })
}

/** Runs what reads limits. @throws CommandError if one isn't a statement of a policy */
export async function withLimits<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // What is wrong with a token has its CID.
    if (error instanceof HolderError && error.code === 'MalformedToken' && error.cid === undefined)
      return wrongUsage(
        `A --limit is not a statement of a policy, such as ["==", ".name", "read"]. ${error.message}`,
      )
    throw error
  }
}

/** A DID. One with a placeholder for its key is refused too. @throws CommandError */
export function readDid(text: string, option: string): string {
  return isDid(text) ? text : wrongUsage(`${option} takes a DID, such as did:key:z6Mk…, as a vault shows it.`)
}

/** Integers of any size stay exact, as a `bigint`. @throws CommandError */
export function readJson(text: string, what: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return wrongUsage(`${what} is not JSON.`)
  }
}

/** Text from outside, as one line that shows what is in it. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`,
  )
}

/** A message of the core or the holder, with dates instead of its seconds since 1970. */
export function withDates(message: string): string {
  return message.replace(/\bat (\d{1,12}) \(seconds since 1970\)/g, (_, seconds: string) => {
    const [day = '', time = ''] = new Date(Number(seconds) * 1_000).toISOString().split('T')
    return `on ${day} at ${time.slice(0, 5)} UTC`
  })
}

/** The last second with a date. A token can name later ones. */
const LAST = 8.64e12

/** When something ends, for people. */
export function showEnd(seconds: number | null): string {
  if (seconds === null) return 'never'
  if (Math.abs(seconds) > LAST) return `${seconds} (seconds since 1970)`
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
}
