import type { InspectedToken } from '@keyhole/vault'
import * as v from 'valibot'
import { signedMap } from '../search-index/read-asked.ts'

const Payload = v.looseObject({
  iss: v.string(),
  sub: v.string(),
  aud: v.optional(v.nullable(v.string())),
  cmd: v.string(),
  args: signedMap,
  exp: v.nullable(v.number()),
})

/** A signed call: a request, an authorised payment, a revocation or a receipt. */
export interface Call {
  readonly cid: string
  readonly issuer: string
  readonly subject: string
  /** Who is asked to do it: the subject, unless it names someone else. */
  readonly audience: string
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
  /** In milliseconds since 1970. */
  readonly expiresAt: number | undefined
  /** As it was signed. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** The call among inspected tokens. Undefined if there is none, or it doesn't parse. */
export function callIn(tokens: readonly InspectedToken[]): Call | undefined {
  const found = tokens.find(({ kind }) => kind === 'invocation')
  const read = v.safeParse(Payload, found?.payload)
  if (!found || !read.success) return undefined
  const { iss, sub, aud, cmd, args, exp } = read.output
  return {
    ...{ cid: found.cid, issuer: iss, subject: sub, audience: aud ?? sub, command: cmd, args },
    expiresAt: exp === null ? undefined : exp * 1000,
    payload: found.payload,
  }
}
