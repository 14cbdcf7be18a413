// Reads any text or file that contains tokens.

import { fromHex, toLatin1 } from '../codec/text.ts'
import { type Budget, READ } from '../codec/work-budget.ts'
import { malformed, refuse } from '../errors.ts'
import { isContainer, MAX_CONTAINER_LENGTH, readContainer, unpadded } from './container.ts'
import { MAX_TOKEN_LENGTH, readEnvelope } from './envelope.ts'
import { type Delegation, isDelegation, readPayload, type Token } from './payload.ts'

const NO_TOKEN = "This isn't a token. Copy all of it and try again."
/** Maximum length of a token text: the largest container in base64. */
const MAX_TEXT_LENGTH = Math.floor(MAX_CONTAINER_LENGTH / 3) * 4 + 8

/**
 * Reads the tokens in a text or a file: a container in any encoding, or one bare token in base64, base64url,
 * hexadecimal or bytes. White space in a text is skipped, because texts get wrapped. Doesn't check signatures.
 * @throws HolderError MalformedToken; UnsupportedVersion, also for the JWTs of UCAN up to 0.10; TooMuchWork
 */
export async function readTokens(from: string | Uint8Array, budget: Budget): Promise<Token[]> {
  const tokens: Token[] = []
  for (const bytes of await unpack(from, budget)) tokens.push(await readToken(bytes, budget))
  return tokens
}

/** Reads one token. @throws HolderError as {@link readTokens} */
export async function readToken(bytes: Uint8Array<ArrayBuffer>, budget: Budget): Promise<Token> {
  return readPayload(await readEnvelope(bytes, budget), budget)
}

/** The delegations among tokens. @throws HolderError MalformedToken for an invocation, which grants nothing */
export function delegationsOf(tokens: readonly Token[]): Delegation[] {
  return tokens.map((token) =>
    isDelegation(token) ? token : malformed('This token asks for something. It grants nothing.', token.cid),
  )
}

async function unpack(from: string | Uint8Array, budget: Budget): Promise<Uint8Array<ArrayBuffer>[]> {
  const text = typeof from === 'string' ? from : toLatin1(from ?? [])
  if (text.length > MAX_TEXT_LENGTH) malformed(NO_TOKEN)
  budget.spend(READ * text.length)
  // The raw encodings, and a token's bytes, are never text: each starts with a byte that no letter has.
  const bytes = typeof from !== 'string' && /[\x7f-\xff]/.test(text) ? new Uint8Array(from) : undefined
  const letters = bytes ? text : text.replace(/\p{White_Space}/gu, '')
  const header = letters.charAt(0)
  if (isContainer(header)) return await readContainer(header, bytes?.subarray(1) ?? letters.slice(1), budget)
  if (letters.startsWith('eyJ'))
    refuse('UnsupportedVersion', 'This token is of UCAN 0.10 or older: ask for a new one.')
  return [bytes ?? bare(letters)]
}

/** A token starts with a list of two (0x82), so with 8 in hexadecimal and g in base64. */
function bare(text: string): Uint8Array<ArrayBuffer> {
  const isShort = text !== '' && text.length <= 2 * MAX_TOKEN_LENGTH
  const bytes = isShort && (text.startsWith('8') ? fromHex(text) : unpadded(text, !/[+/]/.test(text)))
  return bytes || malformed(NO_TOKEN)
}
