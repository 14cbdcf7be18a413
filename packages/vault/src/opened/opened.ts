// Says that a grant was opened, and finds out whether it was: over the relay of the site that the link leads to.
import * as v from 'valibot'
import { refused } from '../base/errors.ts'
import { bytesWithin } from '../base/response-body.ts'
import { VaultClient } from '../client/vault-client.ts'
import type { KeyVault } from '../key-vault.ts'
import type { Handover } from '../tokens/handovers.ts'
import { openNotice, placeOf, sealNotice } from './notice.ts'

/** Status of a place that has a notice. */
const TAKEN = 409
const SAID = '/grant/opened'
/** Places that a relay takes at once. */
const AT_ONCE = 64
/** A relay keeps a notice for so long, in milliseconds. */
const KEPT = 90 * 86_400_000
/** Most grants that are asked about: those that were handed over last. */
const MOST = 4 * AT_ONCE
/** How long the relay may take, in milliseconds. */
const PATIENCE = 15_000
const LONGEST_ANSWER = AT_ONCE * 2_048

const answer = v.object({
  notices: v.pipe(v.array(v.object({ place: v.string(), notice: v.string() })), v.maxLength(AT_ONCE)),
})
const args = v.object({ grant: v.string(), at: v.pipe(v.number(), v.integer(), v.minValue(0)) })

/** What a grant says of itself. */
export interface OpenedGrant {
  readonly cid: string
  /** DID of the one who gave it. */
  readonly issuer: string
  /** DID of the one whom it is for: a key of the account. */
  readonly audience: string
}

/**
 * Tells the one who gave a grant that it was opened. It is signed by the grant's holder, and sealed so that only those who
 * have the link can read it.
 * @param relay its base URL, such as `https://vault.example/relay`
 * @param secret of the link
 * @returns whether the relay has it, or another notice about the link
 * @throws VaultError VAULT_LOCKED, KEY_NOT_FOUND, OPERATION_FAILED
 */
export async function sayOpened(
  vault: KeyVault,
  relay: string,
  secret: string,
  { cid, issuer, audience }: OpenedGrant,
  now: number = Date.now(),
): Promise<boolean> {
  const key = vault.getSnapshot().keys.find(({ did }) => did === audience)
  const { token } = await clientOf(vault).invoke({
    command: SAID,
    args: { grant: cid, at: Math.floor(now / 1_000) },
    subject_did: audience,
    audience_did: issuer,
    key_id: key?.key_id ?? '',
  })
  const notice = await sealNotice(secret, token)
  if (notice === undefined) return false
  const { status } = (await post(`${relay}/notices`, { place: await placeOf(secret), notice })) ?? {}
  return status === 204 || status === TAKEN
}

/**
 * Asks the relay which of the links that were handed over have been opened, and notes those.
 * @returns how many of them are new; undefined if the relay could not be asked about all
 * @throws VaultError VAULT_LOCKED, OPERATION_FAILED
 */
export async function fetchOpened(
  vault: KeyVault,
  relay: string,
  now: number = Date.now(),
): Promise<number | undefined> {
  const waiting = (await vault.handovers.list())
    .filter(({ at, openedAt }) => openedAt === undefined && now - at < KEPT)
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST)
  let [found, isComplete] = [0, true]
  for (let from = 0; from < waiting.length; from += AT_ONCE) {
    const places = new Map<string, Handover>()
    for (const each of waiting.slice(from, from + AT_ONCE)) places.set(await placeOf(each.secret), each)
    const response = await post(`${relay}/notices/read`, { places: [...places.keys()] })
    const notices = response?.ok ? await noticesIn(response) : undefined
    isComplete &&= notices !== undefined
    for (const { place, notice } of notices ?? []) {
      const handover = places.get(place)
      // One of each.
      if (handover === undefined || !places.delete(place)) continue
      const openedAt = await readOpened(vault, handover, notice)
      if (openedAt === undefined) continue
      await vault.handovers.markOpened(handover.cid, openedAt)
      found += 1
    }
  }
  return isComplete ? found : undefined
}

/** When a notice says that the grant was opened; undefined unless its holder signed that, for the one who gave it. */
async function readOpened(
  vault: KeyVault,
  { cid, issuer, audience, secret }: Handover,
  notice: string,
): Promise<number | undefined> {
  const token = await openNotice(secret, notice)
  if (token === undefined) return undefined
  const { tokens } = await vault.tokens.inspect(token).catch((error) => {
    if (vault.getSnapshot().phase !== 'unlocked') throw error
    return { tokens: [] }
  })
  const [said, ...others] = tokens
  if (said?.kind !== 'invocation' || !said.signature_valid || others.length > 0) return undefined
  const { iss, sub, aud, cmd } = said.payload
  const isHolders = iss === audience && sub === iss && aud === issuer && cmd === SAID
  const read = v.safeParse(args, said.payload.args)
  return isHolders && read.success && read.output.grant === cid ? read.output.at * 1_000 : undefined
}

/** Undefined if the relay can't be reached. */
async function post(url: string, body: object): Promise<Response | undefined> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const signal = AbortSignal.timeout(PATIENCE)
  return await fetch(url, { ...init, credentials: 'omit', redirect: 'error', signal }).catch(() => undefined)
}

async function noticesIn(response: Response) {
  try {
    const bytes = await bytesWithin(response, LONGEST_ANSWER)
    const read = bytes && v.safeParse(answer, JSON.parse(new TextDecoder().decode(bytes)))
    return read?.success ? read.output.notices : undefined
  } catch {
    return undefined
  }
}

function clientOf({ client }: KeyVault): VaultClient {
  if (!(client instanceof VaultClient)) throw refused('NoVault')
  return client
}
