import { msg } from '@lingui/core/macro'
import { type Sandbox, STRANGER } from '../engine/sandbox.ts'
import type { AttackGroup } from './attack.ts'

const narrow = ({ token, helper }: Sandbox) => ({
  parent_token: token,
  key_id: helper.keyId,
  audience_did: STRANGER,
  command: '/msg/send',
})

/** Getting more out of a token than it allows. */
export const WIDENING: AttackGroup = {
  id: 'widening',
  name: msg`Widen`,
  attacks: [
    {
      id: 'widen',
      name: msg`Widen a command`,
      note: msg`The holder of /msg passes on a token for everything: /.`,
      why: msg`You can pass on the same or less. A command covers itself and all below it.`,
      run: (sandbox) => sandbox.call('new_attenuated_token', { ...narrow(sandbox), command: '/' }),
    },
    {
      id: 'lookalike',
      name: msg`Use a look-alike command`,
      note: msg`The holder of /msg passes on /msgboard, which only begins with the same letters.`,
      why: msg`Commands are compared part by part, from slash to slash, and not letter by letter.`,
      run: (sandbox) => sandbox.call('new_attenuated_token', { ...narrow(sandbox), command: '/msgboard' }),
    },
    {
      id: 'limit',
      name: msg`Break a limit`,
      note: msg`The holder may mail within example.com, but mails someone else.`,
      why: msg`Every limit in the chain is checked against the call. The vault refuses to sign what the service would refuse.`,
      run: (sandbox) =>
        sandbox.call('invoke', {
          command: '/msg/send',
          args: { to: 'mallory@example.net', text: 'Hello' },
          subject_did: sandbox.owner.did,
          proof_token: sandbox.token,
        }),
    },
    {
      id: 'outlive',
      name: msg`Extend the expiry`,
      note: msg`The token expires in an hour but is passed on with an expiry a year later.`,
      why: msg`What is passed on expires no later than what it comes from.`,
      run: (sandbox) =>
        sandbox.call('new_attenuated_token', {
          ...narrow(sandbox),
          expires_at: sandbox.expiresAt + 365 * 24 * 3600,
        }),
    },
    {
      id: 'late',
      name: msg`Use it too late`,
      note: msg`The token is shown to a service a day after it expired.`,
      why: msg`Each service compares the end with its own clock, and allows a minute for clocks that differ.`,
      run: (sandbox) =>
        sandbox.call('verify_token', { token: sandbox.token, now: sandbox.expiresAt + 24 * 3600 }),
    },
    {
      id: 'early',
      name: msg`Use it too early`,
      note: msg`The token is shown to a service a day before it starts.`,
      why: msg`A token may begin later than it was signed. Until then it opens nothing.`,
      run: async (sandbox) => {
        const begins = Math.floor(Date.now() / 1000) + 24 * 3600
        const made = await sandbox.ask('new_origin_token', {
          audience_did: sandbox.helper.did,
          command: '/msg',
          not_before: begins,
          expires_at: begins + 3600,
        })
        return sandbox.call('verify_token', { token: Reflect.get(Object(made), 'token') })
      },
    },
  ],
}
