import { wrongUsage } from './errors.ts'

/** Where a server listens. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** @throws CommandError if it is not HOST:PORT */
export function placeOf(text: string, option: string): Place {
  const [, host, port] = /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? []
  if (!host || Number(port) > 65_535) return wrongUsage(`Write ${option} as HOST:PORT.`)
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

/** Whether only this machine reaches it. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host)
}
