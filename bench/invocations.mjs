// Invocations with a chain of five delegations, from bytes, with many calls in flight and no cache. iso-ucan writes the release candidate's
// tag, so each library validates its own tokens with the same content.
import { createEnclave } from '@keyhole/enclave'
import { EdDSASigner } from 'iso-signatures/signers/eddsa.js'
import * as EdDSA from 'iso-signatures/verifiers/eddsa.js'
import { Resolver } from 'iso-signatures/verifiers/resolver.js'
import { Delegation } from 'iso-ucan/delegation'
import { Invocation } from 'iso-ucan/invocation'
import { expect, rates } from './measure.mjs'
import { chainOf } from './tokens.mjs'

const PROOFS = 5
const HOUR = 3_600

export async function figures() {
  const enclave = await createEnclave()
  const exp = Math.floor(Date.now() / 1000) + HOUR
  const ours = chainOf(PROOFS, { seed: 'bench', exp })
  const validateOurs = () =>
    enclave.call('validate_invocation', { invocation: ours.text, audience: ours.subject })
  const answer = await validateOurs()
  expect(answer.valid === true && answer.chain.length === PROOFS, 'our invocation holds')

  const verifierResolver = new Resolver({ ...EdDSA.verifier }, { cache: false })
  const signers = await Promise.all(Array.from({ length: PROOFS + 1 }, () => EdDSASigner.generate()))
  const [owner] = signers
  const proofs = []
  for (let at = 0; at < PROOFS; at += 1) {
    const [iss, { did: aud }] = signers.slice(at)
    proofs.push(
      await Delegation.create({
        iss,
        aud,
        sub: owner.did,
        cmd: '/notes',
        pol: [['==', '.folder', 'notes']],
        exp,
      }),
    )
  }
  const iss = signers[PROOFS]
  const args = { folder: 'notes' }
  const options = { iss, sub: owner.did, cmd: '/notes/read', args, prf: proofs, exp, verifierResolver }
  const { bytes } = await Invocation.create(options)
  const texts = new Map(proofs.map((proof) => [proof.cid.toString(), proof.toString()]))
  const resolveProof = (cid) => Delegation.fromString(texts.get(cid.toString()) ?? '')
  const validateTheirs = () => Invocation.from({ bytes, resolveProof, verifierResolver })
  expect((await validateTheirs()).delegations.length === PROOFS, 'their invocation holds')

  const taken = await rates({ ours: validateOurs, theirs: validateTheirs })
  await enclave.close()
  return [
    {
      title: `Invocation with ${PROOFS} proofs: validate`,
      note: 'Ours from the container text, through one enclave; theirs from bytes, each proof decoded and verified once.',
      better: 'more',
      rows: [
        { name: 'Keyhole, validate_invocation', unit: '/s', value: taken.ours },
        { name: 'iso-ucan 0.5.0', unit: '/s', value: taken.theirs },
      ],
    },
  ]
}
