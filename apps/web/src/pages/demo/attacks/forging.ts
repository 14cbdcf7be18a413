import { msg } from '@lingui/core/macro'
import { containerOf, envelopesOf, saidIn, tamper, withSignature, withText } from '../engine/container.ts'
import { type Sandbox, STRANGER, textOf } from '../engine/sandbox.ts'
import type { AttackGroup } from './attack.ts'

/** A narrowed token: its own envelope, and the one it was narrowed from. */
async function narrowed(sandbox: Sandbox) {
  const made = await sandbox.ask('new_attenuated_token', {
    parent_token: sandbox.token,
    key_id: sandbox.helper.keyId,
    audience_did: STRANGER,
    command: '/msg/send',
  })
  const proofs = await envelopesOf(sandbox.token)
  const known = new Set(proofs.map((bytes) => bytes.join()))
  const all = await envelopesOf(textOf(made, 'token'))
  return { leaf: all.filter((bytes) => !known.has(bytes.join())), cid: textOf(made, 'cid') }
}

/** Making a token say something that no one signed. */
export const FORGING: AttackGroup = {
  id: 'forging',
  name: msg`Forge`,
  attacks: [
    {
      id: 'byte',
      name: msg`Flip a bit`,
      note: msg`One bit of the signature is flipped, and the token is shown to a service.`,
      why: msg`A signature is valid for one text and one key. Change a single bit, and it isn’t valid.`,
      run: async (sandbox) => {
        const envelopes = await envelopesOf(sandbox.token)
        return sandbox.call('verify_token', { token: containerOf(envelopes.map(tamper)) })
      },
    },
    {
      id: 'rewrite',
      name: msg`Rewrite what it allows`,
      note: msg`In the limit “mail within example.com”, the domain is swapped for one of the same length.`,
      why: msg`The limits are part of what was signed: changing them breaks the signature.`,
      run: async (sandbox) => {
        const envelopes = await envelopesOf(sandbox.token)
        const rewritten = envelopes.map((bytes) => withText(bytes, '*@example.com', '*@mallory.net'))
        return sandbox.call('verify_token', { token: containerOf(rewritten) })
      },
    },
    {
      id: 'proof',
      name: msg`Swap a proof`,
      note: msg`A narrowed token is packed with another grant’s proof.`,
      why: msg`A chain follows who gave what to whom. A proof made out to someone else isn’t part of it.`,
      run: async (sandbox) => {
        const { leaf, cid } = await narrowed(sandbox)
        const other = await sandbox.ask('new_origin_token', {
          audience_did: STRANGER,
          command: '/msg',
          key_id: sandbox.owner.keyId,
        })
        const swapped = containerOf([...leaf, ...(await envelopesOf(textOf(other, 'token')))])
        return sandbox.call('verify_token', { token: swapped, leaf: cid })
      },
    },
    {
      id: 'alone',
      name: msg`Leave the proof out`,
      note: msg`The narrowed token is shown without its proof, as if the person who passed it on were the owner.`,
      why: msg`Authority begins with the owner. A chain that does not reach back to them opens nothing.`,
      run: async (sandbox) => {
        const { leaf, cid } = await narrowed(sandbox)
        return sandbox.call('verify_token', { token: containerOf(leaf), leaf: cid })
      },
    },
    {
      id: 'file',
      name: msg`Have a token signed as a file`,
      note: msg`The owner is asked to sign “a file” that is really the text of a token. The signature is then put on that token.`,
      why: msg`Files are signed with a prefix of their own. So a signature over a file never fits a token.`,
      run: async (sandbox) => {
        const [envelope] = await envelopesOf(sandbox.token)
        if (!envelope) throw new Error('The token is empty.')
        const forged = withText(envelope, '*@example.com', '*@mallory.net')
        const answer = await sandbox.ask('sign_data', {
          data: [...saidIn(forged)],
          key_id: sandbox.owner.keyId,
        })
        const signature: unknown = typeof answer === 'object' && answer && Reflect.get(answer, 'signature')
        if (!Array.isArray(signature)) throw new Error('There is no signature.')
        return sandbox.call('verify_token', {
          token: containerOf([withSignature(forged, Uint8Array.from(signature))]),
        })
      },
    },
  ],
}
