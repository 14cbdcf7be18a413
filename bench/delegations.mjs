// Delegations issued and verified, from text, with many calls in flight and no cache. iso-ucan writes the release candidate's tag, so each
// library verifies its own token with the same content.
import { createEnclave } from '@keyhole/enclave'
import { EdDSASigner } from 'iso-signatures/signers/eddsa.js'
import * as EdDSA from 'iso-signatures/verifiers/eddsa.js'
import { Resolver } from 'iso-signatures/verifiers/resolver.js'
import { Delegation } from 'iso-ucan/delegation'
import { expect, rates } from './measure.mjs'

const POLICY = [['==', '.folder', 'notes']]
const DAY = 86_400

export async function figures() {
  const enclave = await createEnclave()
  const { status } = await enclave.call('create_vault', { passphrase: 'four words that nobody guesses' })
  const issuer = await EdDSASigner.generate()
  const audience = (await EdDSASigner.generate()).did
  const verifierResolver = new Resolver({ ...EdDSA.verifier }, { cache: false })
  const exp = Math.floor(Date.now() / 1000) + DAY

  const issueOurs = () =>
    enclave.call('new_origin_token', {
      audience_did: audience,
      command: '/notes/read',
      policy: POLICY,
      expires_at: exp,
    })
  const issueTheirs = () =>
    Delegation.create({ iss: issuer, aud: audience, sub: issuer.did, cmd: '/notes/read', pol: POLICY, exp })
  const issued = await rates({ ours: issueOurs, theirs: issueTheirs })

  const ours = await issueOurs()
  expect(ours.issuer === status.issuer_did, 'the token is issued by the vault')
  const theirs = (await issueTheirs()).bytes
  const verifyOurs = () => enclave.call('verify_token', { token: ours.token })
  const verifyTheirs = () => Delegation.from({ bytes: theirs, verifierResolver })
  expect((await verifyOurs()).valid === true, 'our token holds')
  expect((await verifyTheirs()).aud === audience, 'their token holds')
  const verified = await rates({ ours: verifyOurs, theirs: verifyTheirs })
  await enclave.close()

  const rows = (taken) => [
    { name: 'Keyhole, through createEnclave', unit: '/s', value: taken.ours },
    { name: 'iso-ucan 0.5.0', unit: '/s', value: taken.theirs },
  ]
  return [
    { title: 'Delegation: create and sign', better: 'more', rows: rows(issued) },
    {
      title: 'Delegation: verify',
      note: 'Ours from the container text, chain, time and policy included; theirs from bytes, signature and structure.',
      better: 'more',
      rows: rows(verified),
    },
  ]
}
