import { bytesIn, mayBeInvocation, tokensIn } from '../container.ts'

/** The tokens in a container, each as a text with one character per byte. */
export interface ShownTokens {
  /** Tokens that aren't invocations. */
  readonly proofs: readonly string[]
  /** How many may be invocations. */
  readonly invocations: number
}

/**
 * Reads a container in base64 or base64url. Undefined for any other text, whose sender then counts as unknown. That
 * includes compressed containers, because unpacking takes time.
 */
export function proofsIn(text: string): ShownTokens | undefined {
  if (!/^[BC]/.test(text)) return undefined
  const tokens = tokensIn(bytesIn(text.slice(1)) ?? '')
  if (!tokens) return undefined
  const proofs = tokens.filter((token) => !mayBeInvocation(token))
  return { proofs, invocations: tokens.length - proofs.length }
}
