import { msg } from '@lingui/core/macro'
import { STRANGER, textOf } from '../engine/sandbox.ts'
import type { AttackGroup } from './attack.ts'

/** Using a token issued to someone else, or an expired one. */
export const STEALING: AttackGroup = {
  id: 'stealing',
  name: msg`Steal and replay`,
  attacks: [
    {
      id: 'stolen',
      name: msg`Pass on a stolen token`,
      note: msg`Someone who found the token, and has another key, passes it on.`,
      why: msg`A token is made out to a key. Its text alone is worth nothing: only the holder of that key can use it.`,
      run: (sandbox) =>
        sandbox.call('new_attenuated_token', {
          parent_token: sandbox.token,
          key_id: sandbox.owner.keyId,
          audience_did: STRANGER,
          command: '/msg/send',
        }),
    },
    {
      id: 'replay',
      name: msg`Replay`,
      note: msg`A message that was allowed once is sent to the service a second time, letter for letter.`,
      why: msg`Each invocation has its own CID. A service remembers those it has done until they expire.`,
      run: async (sandbox) => {
        const made = await sandbox.invocation()
        const invocation = textOf(made, 'token')
        const first = await sandbox.ask('validate_invocation', { invocation })
        return sandbox.call('validate_invocation', { invocation, seen: [textOf(first, 'cid')] })
      },
    },
    {
      id: 'elsewhere',
      name: msg`Show it to another service`,
      note: msg`An invocation that is meant for one service is caught and shown to another.`,
      why: msg`An invocation names who it is for, and all other services turn it away.`,
      run: async (sandbox) => {
        const made = await sandbox.invocation({ audience_did: STRANGER })
        return sandbox.call('validate_invocation', {
          invocation: textOf(made, 'token'),
          audience: sandbox.owner.did,
        })
      },
    },
    {
      id: 'revoked',
      name: msg`Use what was revoked`,
      note: msg`The owner revoked the token, but the holder shows it anyway.`,
      why: msg`Someone in the chain signs a revocation. A service that knows of it refuses all that hangs below.`,
      run: async (sandbox) => {
        const revocation = await sandbox.ask('revoke', { cid: sandbox.cid, token: sandbox.token })
        return sandbox.call('verify_token', {
          token: sandbox.token,
          revocations: [textOf(revocation, 'token')],
        })
      },
    },
  ],
}

/** Getting at the keys. */
export const BREAKING: AttackGroup = {
  id: 'breaking',
  name: msg`Break into the vault`,
  attacks: [
    {
      id: 'locked',
      name: msg`Use a locked vault`,
      note: msg`The locked vault is asked to sign. It is unlocked again afterwards.`,
      why: msg`When you lock, the keys in memory are overwritten. There is nothing left to sign with.`,
      run: async (sandbox) => {
        await sandbox.ask('lock_vault')
        try {
          return await sandbox.call('sign_data', { data: [1, 2, 3] })
        } finally {
          await sandbox.ready()
        }
      },
    },
    {
      id: 'guess',
      name: msg`Guess the passphrase`,
      note: msg`One wrong guess. It costs 64 MiB of memory and as much time as a right one.`,
      why: msg`Argon2id makes each guess costly, and a real vault waits longer after each wrong one. Nothing is ever wiped for failing.`,
      run: (sandbox) =>
        sandbox.call('unlock_vault', { proof: { passphrase: 'correct horse battery staple' } }),
    },
    {
      id: 'weaken',
      name: msg`Weaken the stored passphrase check`,
      note: msg`The stored state is edited so that each guess needs less memory.`,
      why: msg`A checksum catches the change. The cost is also part of the encryption, so nothing opens at another cost.`,
      run: async (sandbox) => {
        const { sealed } = sandbox
        const weaker = sealed.replace('"memory_kib":65536', '"memory_kib":19456')
        if (weaker === sealed) throw new Error('The sealed state names no cost.')
        await sandbox.ask('close_vault')
        try {
          return await sandbox.call('open_vault', { enclave: weaker })
        } finally {
          await sandbox.ready()
        }
      },
    },
  ],
}
