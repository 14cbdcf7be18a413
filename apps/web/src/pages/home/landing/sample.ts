import { fromBase64Url, toBase64Url } from '@keyhole/vault/base64url'
import type { Capability } from '../../../shared/grant-words/sentence.ts'

/** A real grant, signed by a key that was thrown away: for a page that has no vault yet to show one of. */
export const SAMPLE =
  'CoWZjdG4tdjGBWQFfglhA210Nspib1t96c52Wt4ih056DIrDQybHSQTDR-zXar0cDpOfaszXtjwfOxBdsqyQv8GY1m417FtHF0amXca8aCaJhaEg0Ae0B7QETcW51Y2FuL2RsZ0AxLjAuMKdjYXVkeDhkaWQ6a2V5Ono2TWtqU3VkMnZjbkQyc0J0OFM3emZ0MlR2cTF2aXpxYUJud0R2SjFFRVpLRkp4OWNjbWRqL2NydWQvcmVhZGNleHAahYxawGNpc3N4OGRpZDprZXk6ejZNa3JiTXlBMnYyTmpQeDN4QVRpVlUzVW9qYUdnS3JCS3MyUHZ2eFNnWEpMWXk0Y3BvbIGDZGxpa2VlLnBhdGhpL3Bob3Rvcy8qY3N1Yng4ZGlkOmtleTp6Nk1rcmJNeUEydjJOalB4M3hBVGlWVTNVb2phR2dLckJLczJQdnZ4U2dYSkxZeTRlbm9uY2VMB7MaWbJ0rIZuNSFZ'

/** Who signed it. */
export const SAMPLE_OWNER = 'did:key:z6MkrbMyA2v2NjPx3xATiVU3UojaGgKrBKs2PvvxSgXJLYy4'

/** What it says. */
export const SAMPLE_CAPABILITY: Capability = {
  issuer: SAMPLE_OWNER,
  audience: 'did:key:z6MkjSud2vcnD2sBt8S7zft2Tvq1vizqaBnwDvJ1EEZKFJx9',
  subject: SAMPLE_OWNER,
  command: '/crud/read',
  policy: [['like', '.path', '/photos/*']],
  expiresAt: Date.UTC(2040, 11, 31, 12),
}

const LIMIT = '/photos/*'
const STAR = 0x2a

/** The same text with its limit widened to every path, as a thief would like it: no signature covers that. */
export function widened(token: string): string {
  const bytes = fromBase64Url(token.slice(1)) ?? new Uint8Array()
  const at = String.fromCharCode(...bytes).indexOf(LIMIT)
  return token.charAt(0) + toBase64Url(bytes.fill(STAR, at, at + LIMIT.length))
}
