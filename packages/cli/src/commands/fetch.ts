import type { Command, Given } from '../command.ts'
import { CommandError, FAILED, NO, wrongUsage } from '../errors.ts'
import { namedFile, nothingIn, readBytes } from '../input.ts'
import { isMediaType, LONGEST_BODY, serviceBody } from '../service-body.ts'
import { METHODS, onlyOf, type ServiceCall, serviceCaller } from '../service-calls.ts'

export const fetchCommand: Command = {
  name: 'fetch',
  summary: 'Call an HTTP API through a gate, with the narrowest grant that covers it',
  operands: 'METHOD PATH [FILE]',
  options: {
    gate: { type: 'string', value: 'URL', help: 'Where the gate is. Default: http://127.0.0.1:4291' },
    service: { type: 'string', value: 'NAME', help: 'Which service of the gate, if it has several' },
    query: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'A parameter' },
    body: { type: 'boolean', help: 'Send what is in FILE, or in standard input' },
    type: {
      type: 'string',
      value: 'TYPE',
      help: 'What the body is, such as image/png. Default: application/json. A body that isn’t JSON, or is too long to be signed, is sent beside the call',
    },
  },
  examples: [
    ['keyhole fetch GET /repos/me/notes/issues --query state=open', 'Prints what the service answers'],
    [`echo '{"title": "Hello"}' | keyhole fetch POST /repos/me/notes/issues --body`, 'With a body'],
    ['keyhole fetch PUT /avatar me.png --body --type image/png', 'A file, if the gate takes uploads'],
  ],
  async run(given) {
    const [method = '', path = '', ...files] = given.positionals
    if (!METHODS.some((each) => each === method) || !path.startsWith('/'))
      return wrongUsage(`Name a method (${METHODS.join(', ')}) and a path, such as GET /repos.`)
    const { openRequests, readRemoteGate } = await import('@keyhole/gate')
    const url = given.text('gate') ?? 'http://127.0.0.1:4291'
    const about = await readRemoteGate(url)
    const service = chosen(Object.keys(about.services), given.text('service'))
    const query = queryOf(given.texts('query'))
    if (!given.has('body') && (files.length > 0 || given.text('type') !== undefined))
      wrongUsage('To send a file, say --body.')
    const body = given.has('body') ? await bodyOf(given, files) : undefined
    const holder = given.holder()
    // It ends with the answer, so a person brings the grant.
    const caller = serviceCaller({ gate: about, url, holder, requests: openRequests(holder) })
    const call = { service, method, path, ...(query && { query }), ...body }
    const outcome = await caller.call(call)
    if ('needed' in outcome) throw new CommandError(NO, outcome.needed.code, outcome.needed.message)
    if ('refused' in outcome) {
      const { status, code, message } = outcome.refused
      throw new CommandError(status >= 500 ? FAILED : NO, code, message)
    }
    const { status, headers, body: bytes } = outcome.answered
    const text = new TextDecoder().decode(bytes)
    return {
      json: { status, headers: Object.fromEntries(headers), body: text },
      text: text.trimEnd(),
      exitCode: status < 400 ? 0 : NO,
    }
  },
}

/** The body that is named: a file, or standard input. */
async function bodyOf(
  { io, text }: Given,
  files: readonly string[],
): Promise<Pick<ServiceCall, 'body' | 'upload'>> {
  const type = text('type') ?? 'application/json'
  const path = namedFile(io, files)
  if (!isMediaType(type)) wrongUsage('--type takes a media type, such as image/png.')
  const bytes = path === undefined ? await io.bytes() : await readBytes(path, LONGEST_BODY, 'body')
  if (bytes.length === 0) nothingIn(path)
  return (
    (await serviceBody(bytes, type)) ?? wrongUsage('The body is not JSON. Say what it is: --type text/plain.')
  )
}

function chosen(names: readonly string[], name: string | undefined): string {
  const service = onlyOf(names, name)
  if (service !== undefined) return service
  return wrongUsage(
    names.length > 0 ? `Say which service with --service: ${names.join(', ')}.` : 'The gate has no service.',
  )
}

function queryOf(pairs: readonly string[]): Record<string, string | string[]> | undefined {
  const query = new Map<string, string[]>()
  for (const pair of pairs) {
    const [, name = '', value = ''] =
      /^([^=]+)=(.*)$/s.exec(pair) ?? wrongUsage('Write --query as NAME=VALUE.')
    const values = query.get(name)
    if (values) values.push(value)
    else query.set(name, [value])
  }
  if (query.size === 0) return undefined
  return Object.fromEntries(
    Array.from(query, ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )
}
