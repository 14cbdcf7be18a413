import { readFileSync } from 'node:fs'

const read = (name: string): string =>
  readFileSync(new URL(`../../../../vectors/${name}`, import.meta.url), 'utf8')

interface Token {
  readonly token: string
  readonly cid: string
}

/** The official delegation of UCAN 1.0.0, which has expired. */
export function expired(): Token {
  const { valid }: { valid: Token[] } = JSON.parse(read('ucan-1.0.0/delegation.json'))
  const [{ token, cid } = { token: '', cid: '' }] = valid
  return { token, cid }
}

interface Case {
  readonly name: string
  readonly input: { readonly invocation: string }
  readonly expect: { readonly error: { readonly cid: string } }
}

/** A token with one changed bit in its signature. */
export function forged(): Token {
  const { cases }: { cases: Case[] } = JSON.parse(read('keyhole/validation.json'))
  const found = cases.find(({ name }) => name === 'algorithm: Ed25519: a signature with one bit changed')
  if (!found) throw new Error('The vectors have no such case.')
  return { token: found.input.invocation, cid: found.expect.error.cid }
}
