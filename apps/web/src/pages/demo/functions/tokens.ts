import { msg } from '@lingui/core/macro'
import { STRANGER, textOf } from '../engine/sandbox.ts'
import type { FunctionGroup } from './function.ts'

/** Granting authority, and inspecting grants. */
export const TOKENS: FunctionGroup = {
  id: 'tokens',
  name: msg`Tokens`,
  functions: [
    {
      name: 'new_origin_token',
      note: msg`Signs a grant: who can do what, with which limits, and until when.`,
      input: ({ helper }) => ({
        audience_did: helper.did,
        command: '/msg/send',
        policy: [['like', '.to', '*@example.com']],
      }),
    },
    {
      name: 'new_attenuated_token',
      note: msg`Narrows a token that is held and passes it on. What comes out never opens more than what went in.`,
      input: ({ token, helper }) => ({
        parent_token: token,
        key_id: helper.keyId,
        audience_did: STRANGER,
        command: '/msg/send',
        policy: [['==', '.urgent', true]],
      }),
    },
    {
      name: 'verify_token',
      note: msg`Checks a token with its whole chain, offline. Needs no vault.`,
      keyless: true,
      input: ({ token }) => ({ token }),
    },
    {
      name: 'inspect_token',
      note: msg`Takes a token apart without judging it. Needs no vault.`,
      keyless: true,
      input: ({ token }) => ({ token }),
    },
    {
      name: 'check_tokens',
      note: msg`Says which of these texts are tokens, whole and well signed. Needs no vault.`,
      keyless: true,
      input: ({ token }) => ({ tokens: [token, 'not a token'] }),
    },
  ],
}

/** Using authority, and checking that it was used correctly. */
export const AUTHORITY: FunctionGroup = {
  id: 'authority',
  name: msg`Using authority`,
  functions: [
    {
      name: 'invoke',
      note: msg`Uses a token: signs the call, with the proofs for it.`,
      input: ({ owner, token }) => ({
        command: '/msg/send',
        args: { to: 'bob@example.com', text: 'Hello' },
        subject_did: owner.did,
        proof_token: token,
      }),
    },
    {
      name: 'validate_invocation',
      note: msg`What a service asks before it does anything: does this hold, and on whose authority? Needs no vault.`,
      keyless: true,
      input: async (sandbox) => ({ invocation: textOf(await sandbox.invocation(), 'token') }),
    },
    {
      name: 'validate_batch',
      note: msg`The same for many at once: the signatures are checked by one sum. Needs no vault.`,
      keyless: true,
      input: async (sandbox) => ({
        invocations: [
          textOf(await sandbox.invocation(), 'token'),
          textOf(await sandbox.invocation({ args: { to: 'carol@example.com', text: 'Hi' } }), 'token'),
        ],
      }),
    },
    {
      name: 'evaluate_policy',
      note: msg`Tries a call against limits before anything is signed, and says which ones pass. Needs no vault.`,
      keyless: true,
      input: () => ({
        command: '/msg',
        policy: [['like', '.to', '*@example.com']],
        call: { command: '/msg/send', args: { to: 'mallory@example.net', text: 'Hello' } },
      }),
    },
    {
      name: 'revoke',
      note: msg`Takes back what was given: a signed notice that any service can check.`,
      input: ({ cid, token }) => ({ cid, token }),
    },
    {
      name: 'issue_receipt',
      note: msg`Signs what came of an invocation.`,
      input: async (sandbox) => ({
        task: textOf(await sandbox.invocation(), 'task'),
        ok: { sent: true },
      }),
    },
    {
      name: 'seal_answer',
      note: msg`Seals the answer to a request for the mailbox of the program that asked. Needs no vault.`,
      keyless: true,
      input: () => ({
        answer: '{"refused":"DECLINED","message":"No."}',
        request: 't3y9dqiLgKMlibL_zMZC6CysrbxU6PxqxinvjQFgzcc',
        mailbox: 'did:key:z6MkmCVHupkgP29QNwAb97tLhTpz2mDaiDu2ZhvGAdGd6rJQ',
        key: 'ehpOcJvwhaxJSroEabmx7aCrH3ixaqu3n_7akGI-hSI',
      }),
    },
  ],
}
