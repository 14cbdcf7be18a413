import type { IncomingMessage } from 'node:http'
import type { Authorized } from '../verdict.ts'

/** Where a request carries its call. No client can set it, and it costs less than a table of all requests. */
const CALL = Symbol('keyhole call')

interface Checked extends IncomingMessage {
  [CALL]?: Authorized
}

export function setCall(request: Checked, call: Authorized): void {
  request[CALL] = call
}

/** @throws Error if no guard ran */
export function getCall(request: Checked): Authorized {
  const call = request[CALL]
  if (!call) throw new Error('This request was not checked: put `guard` before its handler.')
  return call
}

/** Every `Authorization` header of a request. `headersDistinct` would make a list of each other header too. */
export function authorizationsOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')
}
