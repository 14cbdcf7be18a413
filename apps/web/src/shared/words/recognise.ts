import { t } from '@lingui/core/macro'
import { requestIn } from '../text/request-in.ts'
import { DID_PATTERN } from './did-pattern.ts'

/** What a pasted text is, judged only by its form. */
export type Recognised =
  | { kind: 'did'; value: string }
  | { kind: 'cid'; value: string }
  | { kind: 'address'; value: string }
  | { kind: 'token'; value: string }
  /** A text request, without the link around it. */
  | { kind: 'request'; value: string }
  | { kind: 'words'; value: string }

const CID = /^(bafy[a-z2-7]{55}|zdpu[1-9A-HJ-NP-Za-km-z]{45})$/
const ADDRESS = /^kh1[02-9ac-hj-np-z]{20,}$/
const ENCODED = /^[A-Za-z0-9+/_=-]+$/

/** Shorter than any delegation, longer than any DID or CID in use. */
const SHORTEST_TOKEN = 160

/** Tells DIDs, CIDs, addresses, tokens and requests from words. Ignores white space around and inside a token or request. */
export function recognise(text: string): Recognised {
  const value = text.trim()
  if (DID_PATTERN.test(value)) return { kind: 'did', value }
  if (CID.test(value)) return { kind: 'cid', value }
  if (ADDRESS.test(value)) return { kind: 'address', value }
  const joined = value.replace(/\s+/g, '')
  if (joined.length >= SHORTEST_TOKEN && ENCODED.test(joined)) return { kind: 'token', value: joined }
  const request = requestIn(joined)
  return request === undefined ? { kind: 'words', value } : { kind: 'request', value: request }
}

/** Whether a text is opened in *Check a token*, and not searched for as words. It never goes into an address. */
export function isOpened({ kind }: Recognised): boolean {
  return kind === 'token' || kind === 'request'
}

/** As `didProblem`, for a field that suggests contacts. @param signer the DID of the key that signs: it can't grant anything to itself */
export function audienceProblem(text: string, signer?: string): string | undefined {
  const value = text.trim()
  if (value !== '' && value === signer) return t`This is the key that signs: it needs no grant from itself.`
  if (value === '') return t`Choose a contact, or paste a DID.`
  if (!value.startsWith('did:')) return t`Choose a contact from the list, or paste a DID. It starts with did:`
  return didProblem(text)
}

/** Why a token can't be issued to a text as a DID. Undefined if it looks like one. */
export function didProblem(text: string): string | undefined {
  const value = text.trim()
  if (value === '') return t`Paste the recipient’s DID. It starts with did:`
  if (!value.startsWith('did:')) return t`A DID starts with did:, as in did:key:z6Mk…`
  if (!DID_PATTERN.test(value))
    return t`This DID has characters in it that no DID has. Was it cut, or is there something after it?`
  if (value.startsWith('did:key:') && !/^did:key:z[1-9A-HJ-NP-Za-km-z]{40,}$/.test(value)) {
    return t`This did:key is cut or has a wrong character in it.`
  }
  return undefined
}
