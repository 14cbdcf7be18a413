import type { IncomingMessage } from 'node:http'
import type { Authorized } from '../verdict.ts'

const calls = new WeakMap<IncomingMessage, Authorized>()

export function setCall(request: IncomingMessage, call: Authorized): void {
  calls.set(request, call)
}

/** @throws Error if no guard ran */
export function getCall(request: IncomingMessage): Authorized {
  const call = calls.get(request)
  if (!call) throw new Error('This request was not checked: put `guard` before its handler.')
  return call
}
