// Grants that come from others through someone between, made by hand.
import type { KeyVault } from '@keyhole/vault'
import {
  container,
  delegation,
  person,
  type Token,
} from '../../../../packages/enclave/src/test/naive-tokens.ts'

/** The owner. */
export const giver = person(1)
const middle = person(2)

/** What the owner gave. */
export const firstLink = (changes: Parameters<typeof delegation>[2] = {}) =>
  delegation(giver, middle, changes)

/** What was passed on to a vault. */
export const lastLink = (vault: KeyVault, changes: Parameters<typeof delegation>[2]) =>
  delegation(middle, { ...middle, did: vault.getSnapshot().issuerDid ?? '' }, changes)

/** Stores a chain of links in a vault, as received. */
export const receiveChain = async (vault: KeyVault, chain: readonly Token[]) =>
  await vault.tokens.receive(container(chain))
