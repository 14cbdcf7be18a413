import { t } from '@lingui/core/macro'

/** What a delegation's payload will be, as far as it is known before signing. */
export interface PayloadDraft {
  issuer: string
  audience: string
  /** The subject's DID; undefined before a parent is known. */
  subject: string | null
  command: string
  policy: readonly unknown[]
  /** Seconds; null is without end. */
  expiresAt: number | null | undefined
  notBefore?: number | undefined
}

/** The payload in the token's own field names and order; the nonce is drawn when it is signed. */
export function payloadPreview(draft: PayloadDraft): Record<string, unknown> {
  return {
    iss: draft.issuer,
    aud: draft.audience.trim() === '' ? '…' : draft.audience.trim(),
    sub: draft.subject,
    cmd: draft.command.trim() === '' ? '…' : draft.command.trim(),
    pol: draft.policy,
    nonce: t`12 random bytes, drawn when it is signed`,
    exp: draft.expiresAt === undefined ? '…' : draft.expiresAt,
    nbf: draft.notBefore,
  }
}
