// A signed call of a service as the HTTP request that is sent. Each call is one request, written in one way: what was compared is what is
// sent. What two servers could read in two ways is refused.
import { stringifyJson } from '@keyhole/enclave'
import { type Arguments, checkKeys, isRecord } from '../calls/arguments.ts'
import { METHODS, type ServiceConfig } from '../config/config.ts'
import { refuseCall } from '../errors.ts'
import { checkNoMethod } from './method-override.ts'
import { type Upload, uploadIn } from './upload.ts'

/** A request, without its credential. */
export interface ServiceRequest {
  readonly method: string
  /** The path and query, encoded. */
  readonly target: string
  /** The path as it was signed, for the log. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
  /** A body that is sent beside the call: it has to be read. */
  readonly upload?: Upload
}

const LONGEST_PATH = 4_096
/** Signs by which some servers read another path: escapes, parameters, other slashes, spaces at an end, and letters that can't be seen. */
const UNCLEAR =
  /[\\%;?#\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u2044\u2215\u2216\u29f5\u29f8\u29f9]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/u

/**
 * The request that a call asks for.
 *
 * @throws CallRefused UnknownService, InvalidCommand, MalformedCall, UnclearPath
 */
export function requestOf(
  name: string,
  config: ServiceConfig,
  command: string,
  { service, path, query, body, once, ...others }: Arguments,
): ServiceRequest {
  if (once !== undefined && typeof once !== 'string') malformed()
  if (service !== name) refuseCall('UnknownService', `This is the service ${name}.`)
  const method = /^\/http\/([a-z]+)$/.exec(command)?.[1]?.toUpperCase() ?? ''
  if (!METHODS.some((each) => each === method && config.methods.includes(each)))
    refuseCall('InvalidCommand', `The service ${name} takes ${config.methods.map(commandOf).join(', ')}.`)
  if (Object.keys(others).length > 0 || typeof path !== 'string') return malformed()
  const target = `${encodePath(path)}${encodeQuery(query, config)}`
  const upload = uploadIn(body)
  if (upload) {
    if (method === 'GET' || method === 'HEAD') return malformed()
    const headers = { 'content-type': upload.type, 'content-length': String(upload.length) }
    return { method, target, path, body: undefined, headers, upload }
  }
  const sent = body === undefined ? undefined : encodeBody(method, body, config)
  return { method, target, path, ...bodyParts(method, sent) }
}

/** The command of a method. */
export function commandOf(method: string): string {
  return `/http/${method.toLowerCase()}`
}

function bodyParts(method: string, sent: { readonly type: string; readonly text: string } | undefined) {
  if (sent) {
    const length = String(Buffer.byteLength(sent.text))
    return { body: sent.text, headers: { 'content-type': sent.type, 'content-length': length } }
  }
  const headers: Record<string, string> = /^(?:POST|PUT|PATCH)$/.test(method) ? { 'content-length': '0' } : {}
  return { body: undefined, headers }
}

function encodePath(path: string): string {
  const isPlain = path.startsWith('/') && path.length <= LONGEST_PATH && !/\p{Surrogate}/u.test(path)
  // A server that changes the Unicode form must find no other path in it.
  const isOne = isPlain && path === path.normalize('NFC') && shapeOf(path.normalize('NFKC')) === shapeOf(path)
  if (!isOne || UNCLEAR.test(path) || path.split('/').some((part) => part !== part.trim()))
    refuseCall(
      'UnclearPath',
      'Write the path decoded, from its first slash on, without "..", empty parts, or signs that servers read in different ways.',
    )
  return path
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/')
}

/** What in a path decides where it leads. */
function shapeOf(path: string): string {
  return path.replace(/[^./\\%;?#]+/g, 'x')
}

function encodeQuery(query: unknown, { auth }: ServiceConfig): string {
  if (query === undefined) return ''
  if (!isRecord(query)) return malformed()
  const parts = Object.entries(query).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value]
    if (values.length === 0) return malformed()
    return values.map((each) => `${encodeText(name)}=${encodeText(each)}`)
  })
  const names = Object.keys(query)
  checkNoMethod(names)
  if (auth && 'query' in auth) names.push(auth.query)
  checkAlike(names)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function encodeText(value: unknown): string {
  const isText = typeof value === 'string' && !/[\p{Cc}\p{Surrogate}]/u.test(value)
  return isText && value === value.normalize('NFC') ? encodeURIComponent(value) : malformed()
}

function encodeBody(
  method: string,
  body: unknown,
  { bodies }: ServiceConfig,
): { type: string; text: string } {
  if (method === 'GET' || method === 'HEAD') return malformed()
  checkNesting(body)
  if (isRecord(body)) checkNoMethod(Object.keys(body))
  if (bodies === 'form') {
    if (!isRecord(body)) return malformed()
    return { type: 'application/x-www-form-urlencoded', text: formOf(body, '').join('&') }
  }
  return { type: 'application/json', text: stringifyJson(body) }
}

/** Fields as forms have them: those within others in brackets. */
function formOf(value: unknown, name: string): string[] {
  if (isRecord(value))
    return Object.entries(value).flatMap(([key, each]) => {
      if (/[[\]]/.test(key)) return malformed()
      return formOf(each, name === '' ? key : `${name}[${key}]`)
    })
  if (Array.isArray(value)) return value.flatMap((each, at) => formOf(each, `${name}[${at}]`))
  const isPlain = ['string', 'number', 'boolean', 'bigint'].includes(typeof value)
  return isPlain ? [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`] : malformed()
}

/** Refuses fields that a server could take for one another, at every level, and bytes and links, which JSON doesn't have. */
function checkNesting(value: unknown): void {
  checkKeys(value, 0)
  if (Array.isArray(value)) for (const each of value) checkNesting(each)
  if (!isRecord(value)) return
  const names = Object.keys(value)
  if (names.includes('/')) malformed()
  checkAlike(names)
  for (const each of Object.values(value)) checkNesting(each)
}

/** Refuses names of which a server could take one for another: by capitals, Unicode form, or brackets that it cuts off. */
function checkAlike(names: readonly string[]): void {
  const seen = new Map<string, string>()
  for (const name of names) {
    const plain = name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}[\]]/gu, '')
    const base = plain.replace(/\[.*$/s, '')
    const isBracketed = plain !== base
    if (base === '' || name === '__proto__' || seen.has(plain)) malformed()
    const before = seen.get(`base ${base}`)
    // `created[from]` and `created[to]` are two fields of one; `created` beside them is another.
    if (before !== undefined && !(isBracketed && before === 'bracketed')) malformed()
    seen.set(plain, '')
    seen.set(`base ${base}`, isBracketed ? 'bracketed' : 'whole')
  }
}

function malformed(): never {
  return refuseCall(
    'MalformedCall',
    'The arguments of the call have another form, or two fields that a server could take for one another. See docs/commands.md.',
  )
}
