// Connections to what is behind the gate: to an address that was checked, with the credential.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ServiceConfig } from '../config/config.ts'
import { isPublic, publicLookup } from './addresses.ts'

const PRIVATE = 'Its address is a private one, which its configuration does not allow.'

/** There is no answer that can be used. The message has nothing in it of what was called. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly isTooLong: boolean

  constructor(message: string, isTooLong = false) {
    super(message)
    this.isTooLong = isTooLong
  }
}

/** How a URL is connected to. @param mayBePrivate whether it may be on this machine or its network @throws NoAnswer */
export function connectionTo(url: URL, mayBePrivate: boolean) {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!mayBePrivate && /^[\d.]+$|:/.test(host) && !isPublic(host)) throw new NoAnswer(PRIVATE)
  return {
    start: url.protocol === 'https:' ? requestHttps : requestHttp,
    guards: {
      // No connection is used twice: a service that answers more than it was asked can't answer the next call.
      agent: false,
      ...(!mayBePrivate && { lookup: publicLookup as never }),
    },
  } as const
}

/** Puts a credential into a request. */
export function addCredential(
  auth: ServiceConfig['auth'],
  secret: string | undefined,
  url: URL,
  headers: Record<string, string>,
): void {
  if (!auth || secret === undefined) return
  if ('query' in auth) {
    const pair = `${encodeURIComponent(auth.query)}=${encodeURIComponent(secret)}`
    url.search = url.search === '' ? pair : `${url.search.slice(1)}&${pair}`
  } else if ('header' in auth) headers[auth.header.toLowerCase()] = `${auth.prefix}${secret}`
  else headers.authorization = `Basic ${Buffer.from(`${auth.user}:${secret}`).toString('base64')}`
}

/** What went wrong, without anything that could be a secret. */
export function whyNot(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Error && error.name === 'PrivateAddress') return new NoAnswer(PRIVATE)
  return new NoAnswer(
    /^[A-Z_]{3,40}$/.test(code) ? `The connection failed (${code}).` : 'The connection failed.',
  )
}
