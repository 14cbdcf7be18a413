// Verifies Ed25519 signatures over 256 bytes: ours as JSON through the worker, WebCrypto as bytes.
import { createEnclave } from '@keyhole/enclave'
import { expect, rates } from './measure.mjs'

export async function figures() {
  const enclave = await createEnclave()
  const { status } = await enclave.call('create_vault', { passphrase: 'four words that nobody guesses' })
  const bytes = crypto.getRandomValues(new Uint8Array(256))
  const data = Array.from(bytes)
  const { signature } = await enclave.call('sign_data', { data })
  const ours = () => enclave.call('verify_data', { data, signature, did: status.issuer_did })
  expect((await ours()).valid === true, 'our signature holds')

  const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
  const other = await crypto.subtle.sign('Ed25519', pair.privateKey, bytes)
  const theirs = () => crypto.subtle.verify('Ed25519', pair.publicKey, other, bytes)
  expect(await theirs(), 'their signature holds')

  const taken = await rates({ ours, theirs })
  await enclave.close()
  return [
    {
      title: 'Ed25519: verify 256 bytes',
      better: 'more',
      rows: [
        { name: 'Keyhole, through createEnclave', unit: '/s', value: taken.ours },
        { name: "Node's WebCrypto", unit: '/s', value: taken.theirs },
      ],
    },
  ]
}
