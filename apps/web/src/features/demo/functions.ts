import type { Sandbox } from './sandbox.ts'

/** A function of the plugin, with an input that works in the sandbox. */
export interface PluginFunction {
  name: string
  /** What it does, in a line. */
  note: string
  input: (sandbox: Sandbox) => unknown
}

const TEXT = [...new TextEncoder().encode('Hello from the keyhole')]

export const FUNCTIONS = [
  {
    name: 'new_origin_token',
    note: 'Signs a capability over the account’s own resources.',
    input: ({ helper }: Sandbox) => ({
      audience_did: helper.did,
      command: '/msg/send',
      policy: [['like', '.to', '*@example.com']],
    }),
  },
  {
    name: 'new_attenuated_token',
    note: 'Narrows a held token and passes it on.',
    input: ({ token, helper, stranger }: Sandbox) => ({
      parent_token: token,
      key_id: helper.keyId,
      audience_did: stranger,
      command: '/msg/send',
      policy: [['==', '.urgent', true]],
    }),
  },
  {
    name: 'verify_token',
    note: 'Checks a token with its whole chain, offline.',
    input: ({ token }: Sandbox) => ({ token }),
  },
  {
    name: 'inspect_token',
    note: 'Takes a token apart without judging it.',
    input: ({ token }: Sandbox) => ({ token }),
  },
  {
    name: 'sign_data',
    note: 'Signs bytes, under a prefix that no token can be made from.',
    input: () => ({ data: TEXT }),
  },
  {
    name: 'verify_data',
    note: 'Checks a signature over bytes. Paste one from sign_data.',
    input: ({ owner }: Sandbox) => ({
      data: TEXT,
      signature: Array.from({ length: 64 }, () => 0),
      did: owner.did,
    }),
  },
  { name: 'get_issuer_did', note: 'Says whose vault this is.', input: () => ({}) },
  { name: 'list_keys', note: 'Lists the public halves of the keys.', input: () => ({}) },
  { name: 'vault_status', note: 'Says whether the vault is open.', input: () => ({}) },
] as const satisfies readonly PluginFunction[]

export type FunctionName = (typeof FUNCTIONS)[number]['name']
export const FUNCTION_NAMES: readonly FunctionName[] = FUNCTIONS.map(({ name }) => name)
