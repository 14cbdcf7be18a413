/**
 * The DID document of a did:key. It comes from the DID alone; nothing is fetched.
 * @param did a did:key with its key in multibase base58btc
 */
export function didDocument(did: string): Record<string, unknown> {
  const multibase = did.slice('did:key:'.length)
  const method = `${did}#${multibase}`
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: [{ id: method, type: 'Multikey', controller: did, publicKeyMultibase: multibase }],
    authentication: [method],
    assertionMethod: [method],
    capabilityDelegation: [method],
    capabilityInvocation: [method],
  }
}
