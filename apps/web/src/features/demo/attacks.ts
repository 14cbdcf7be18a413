import { isRefusal } from '@keyhole/enclave'
import { containerOf, envelopesOf, tamper } from './container.ts'
import type { Sandbox } from './sandbox.ts'

/** What came of an attack. */
export interface Outcome {
  /** Whether the vault held. */
  refused: boolean
  /** What refused it: the error's name, and its text. */
  by: string
  text: string
}

/** Something a thief or a careless friend would try. */
export interface Attack {
  id: string
  name: string
  /** What is tried, step by step. */
  note: string
  run: (sandbox: Sandbox) => Promise<Outcome>
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Reads an answer of the plugin: a refusal, a verdict, or (which must not happen here) a success. */
export function judgeAnswer(answer: unknown): Outcome {
  if (isRefusal(answer)) return { refused: true, by: answer.name ?? answer.code, text: answer.error }
  if (field(answer, 'valid') === false) {
    const error = field(answer, 'error')
    return {
      refused: true,
      by: String(field(error, 'name') ?? 'verify_token'),
      text: String(field(error, 'message') ?? ''),
    }
  }
  return { refused: false, by: '', text: 'The vault went along with it.' }
}

const call = async (
  sandbox: Sandbox,
  name: 'verify_token' | 'new_attenuated_token' | 'sign_data',
  input: unknown,
) => judgeAnswer(await sandbox.vault.client.enclave.call(name, input))

const narrow = ({ token, helper, stranger }: Sandbox) => ({
  parent_token: token,
  key_id: helper.keyId,
  audience_did: stranger,
  command: '/msg/send',
})

export const ATTACKS: readonly Attack[] = [
  {
    id: 'byte',
    name: 'Change a byte',
    note: 'One bit of the token’s signature is turned over, and the token is shown to a verifier.',
    run: async (sandbox) => {
      const envelopes = await envelopesOf(sandbox.token)
      return call(sandbox, 'verify_token', { token: containerOf(envelopes.map(tamper)) })
    },
  },
  {
    id: 'widen',
    name: 'Widen a command',
    note: 'The holder of /msg passes on a token for everything: /.',
    run: (sandbox) => call(sandbox, 'new_attenuated_token', { ...narrow(sandbox), command: '/' }),
  },
  {
    id: 'lookalike',
    name: 'Use a look-alike command',
    note: 'The holder of /msg passes on /msgboard, which only begins with the same letters.',
    run: (sandbox) => call(sandbox, 'new_attenuated_token', { ...narrow(sandbox), command: '/msgboard' }),
  },
  {
    id: 'outlive',
    name: 'Outlive the end',
    note: 'The token ends in an hour; it is passed on with an end a year later.',
    run: (sandbox) =>
      call(sandbox, 'new_attenuated_token', {
        ...narrow(sandbox),
        expires_at: sandbox.expiresAt + 365 * 24 * 3600,
      }),
  },
  {
    id: 'late',
    name: 'Come too late',
    note: 'The token is shown to a verifier a day after its end.',
    run: (sandbox) =>
      call(sandbox, 'verify_token', { token: sandbox.token, now: sandbox.expiresAt + 24 * 3600 }),
  },
  {
    id: 'proof',
    name: 'Swap a proof',
    note: 'A narrowed token is packed with the proof of another grant in place of its own.',
    run: async (sandbox) => {
      const { vault, owner, stranger } = sandbox
      const narrowed = await vault.client.newAttenuatedToken(narrow(sandbox))
      const other = await vault.client.newOriginToken({
        audience_did: stranger,
        command: '/msg',
        key_id: owner.keyId,
      })
      const proofs = (await envelopesOf(sandbox.token)).map((bytes) => bytes.join())
      const leaf = (await envelopesOf(narrowed.token)).filter((bytes) => !proofs.includes(bytes.join()))
      const swapped = containerOf([...leaf, ...(await envelopesOf(other.token))])
      return call(sandbox, 'verify_token', { token: swapped, leaf: narrowed.cid })
    },
  },
  {
    id: 'stolen',
    name: 'Pass on a stolen token',
    note: 'The owner’s own key passes on a token that was made out to someone else.',
    run: (sandbox) =>
      call(sandbox, 'new_attenuated_token', { ...narrow(sandbox), key_id: sandbox.owner.keyId }),
  },
  {
    id: 'locked',
    name: 'Use a locked vault',
    note: 'The vault is locked, and asked to sign all the same. It is unlocked again afterwards.',
    run: async (sandbox) => {
      await sandbox.vault.lock()
      try {
        return await call(sandbox, 'sign_data', { data: [1, 2, 3] })
      } finally {
        await sandbox.vault.unlock(sandbox.passphrase)
      }
    },
  },
]
