import type { KeyVault } from '@keyhole/vault'

/** A payment of £12.00 to shop.example for the order A-17, that an agent asks of an open vault under a mandate. @returns the request's text */
export async function askForPayment(vault: KeyVault): Promise<string> {
  const { did, key_id } = await vault.generateKey({ label: 'Agent' })
  const { token: given } = await vault.mandates.make({
    ...{ audienceDid: did, payees: ['did:web:shop.example'], currency: 'GBP', max: 2000 },
    budget: { amount: 5000, period: 'week' },
  })
  const args = { payee: 'did:web:shop.example', amount: 1200, currency: 'GBP', order: 'A-17' }
  const subject_did = vault.getSnapshot().issuerDid ?? ''
  const asked = { command: '/payment/request', args, subject_did, proof_token: given.token, key_id }
  return (await vault.tokens.invoke(asked)).token
}
