// People, their grants and their calls, for tests.
import { createEnclave, type Enclave } from '@keyhole/enclave'
import {
  base58,
  container,
  delegation,
  type Fields,
  invocation,
  type Person,
  person,
  revocation,
  type Token,
} from '../../../enclave/src/test/naive-tokens.ts'
import { memoryClaims } from '../claims/memory-claims.ts'
import { memoryRevocations } from '../revocations/memory-revocations.ts'
import { createVerifier, type Verifier, type VerifierOptions } from '../verifier.ts'

export type { Person, Token }
export { base58, container, delegation, invocation, person, revocation }

/** Seconds since 1970. */
export const NOW = 1_800_000_000
export const owner = person(1)
export const friend = person(2)
export const stranger = person(3)

let enclave: Promise<Enclave> | undefined
/** One enclave for all verifiers of a test file. */
export function sharedEnclave(): Promise<Enclave> {
  enclave ??= createEnclave({ keyless: true })
  return enclave
}
export async function closeSharedEnclave(): Promise<void> {
  await (await enclave)?.close()
  enclave = undefined
}

/** A verifier for the owner. */
export async function makeVerifier(options: Partial<VerifierOptions> = {}): Promise<Verifier> {
  return await createVerifier({
    subject: owner.did,
    replay: memoryClaims(),
    revocations: memoryRevocations(),
    enclave: await sharedEnclave(),
    clock: () => NOW * 1_000,
    ...options,
  })
}

/** The text of the friend's call under a new grant from the owner. */
export function callText(changes: Fields = {}, grantChanges: Fields = {}): string {
  const grant = delegation(owner, friend, grantChanges)
  return callUnder(grant, changes)
}

/** The text of the friend's call under a grant. */
export function callUnder(grant: Token, changes: Fields = {}): string {
  return container([grant, invocation(friend, owner, [grant], { exp: BigInt(NOW + 60), ...changes })])
}

/** The text of a revocation. */
export function revocationText(by: Person, target: Token, changes: Fields = {}): string {
  return container([revocation(by, target, changes)])
}
