// The JSON that a stranger sends to an MCP endpoint. Nothing in it is checked yet, so what it costs is bounded before it is parsed, and before MCP's schemas look at it.
import { readRequestBody } from '@modelcontextprotocol/server'
import { isRecord } from '../calls/arguments.ts'

/** Longest body, in bytes: more than a token and as many grants as are looked at. */
const LONGEST = 4_194_304
/** Most values in a body, counted by what begins or parts them. The longest arguments that can be signed have fewer. */
const MOST_PARTS = 32_768
/** Most values besides arguments. Schemas take some microseconds for each. */
const MOST_VALUES = 1_024

/** A body, parsed, or the answer to one that isn't. */
export type McpBody = { readonly json: unknown } | { readonly refusal: Response }

/** Reads the body of a request, without the arguments of its calls: a gate acts on those that are signed. */
export async function readMcpBody(request: Request): Promise<McpBody> {
  // What breaks off is no JSON either.
  const read = await readRequestBody(request, LONGEST).catch(() => ({ tooLarge: false, text: '' }) as const)
  if (read.tooLarge) return refuse(413, -32_000, `A request has at most ${LONGEST} bytes.`)
  if (countParts(read.text) > MOST_PARTS)
    return refuse(413, -32_000, `A request has at most ${MOST_PARTS} values.`)
  const json = parsed(read.text)
  if (json === undefined) return refuse(400, -32_700, 'The request is not JSON.')
  const messages = Array.isArray(json) ? json.map(withoutArguments) : withoutArguments(json)
  if (!hasFewValues(messages))
    return refuse(413, -32_000, `A request has at most ${MOST_VALUES} values besides its arguments.`)
  return { json: messages }
}

/** Counts brackets, commas and colons outside strings, at most one more than is allowed. */
function countParts(text: string): number {
  let [count, isInString] = [0, false]
  for (let at = 0; at < text.length && count <= MOST_PARTS; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) isInString = !isInString
    else if (isInString) at += code === 0x5c ? 1 : 0
    else if (code === 0x2c || code === 0x3a || code === 0x5b || code === 0x7b) count += 1
  }
  return count
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withoutArguments(message: unknown): unknown {
  if (!isRecord(message) || !isRecord(message.params)) return message
  const { arguments: _signedOnly, ...params } = message.params
  return { ...message, params }
}

/** By a list and not by calling itself: values may lie in each other as deep as there are many. */
function hasFewValues(root: unknown): boolean {
  const values = [root]
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]
    if (typeof value !== 'object' || value === null) continue
    for (const each of Object.values(value)) values.push(each)
    if (values.length > MOST_VALUES) return false
  }
  return true
}

function refuse(status: number, code: number, message: string): McpBody {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  return {
    refusal: Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers }),
  }
}
