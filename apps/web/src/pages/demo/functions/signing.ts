import { msg } from '@lingui/core/macro'
import type { FunctionGroup } from './function.ts'

const TEXT = [...new TextEncoder().encode('Hello from the keyhole')]
/** The best-known phrase of all, from the test vectors of BIP-39. It protects nothing. */
const PHRASE = `${'abandon '.repeat(11)}about`

/** Signing bytes and checking signatures. */
export const SIGNING: FunctionGroup = {
  id: 'signing',
  name: msg`Signing`,
  functions: [
    {
      name: 'sign_data',
      note: msg`Signs bytes, under a prefix that no token can be made from.`,
      input: () => ({ data: TEXT }),
    },
    {
      name: 'verify_data',
      note: msg`Checks a signature over bytes. With a DID it needs no vault.`,
      keyless: true,
      input: async (sandbox) => {
        const { owner } = sandbox
        const signed = await sandbox.ask('sign_data', { data: TEXT, key_id: owner.keyId })
        const signature: unknown = typeof signed === 'object' && signed && Reflect.get(signed, 'signature')
        return { data: TEXT, signature, did: owner.did }
      },
    },
    {
      name: 'get_issuer_did',
      note: msg`Says whose vault this is.`,
      input: () => ({}),
    },
  ],
}

/** Keys from the outside: their private halves never come out. */
export const KEYS: FunctionGroup = {
  id: 'keys',
  name: msg`Keys`,
  functions: [
    { name: 'list_keys', note: msg`Lists the public halves of the keys.`, input: () => ({}) },
    {
      name: 'generate_key',
      note: msg`Makes a key: Ed25519, P-256 or secp256k1.`,
      input: () => ({ key_type: 'p256', label: 'Work' }),
    },
    {
      name: 'label_key',
      note: msg`Gives a key a name, which is sealed with it.`,
      input: ({ helper }) => ({ key_id: helper.keyId, label: 'Assistant' }),
    },
    {
      name: 'set_default_key',
      note: msg`Says which key signs where none is named.`,
      input: ({ owner }) => ({ key_id: owner.keyId }),
    },
    {
      name: 'delete_key',
      note: msg`Ends a key. The first one stays: the account’s address is made of it.`,
      input: async (sandbox) => {
        const made = await sandbox.ask('generate_key', { label: 'To be deleted' })
        const key: unknown = typeof made === 'object' && made && Reflect.get(made, 'key')
        return { key_id: typeof key === 'object' && key && Reflect.get(key, 'key_id') }
      },
    },
    {
      name: 'preview_key',
      note: msg`Says whose a key from another program is (PKCS#8, JWK, a phrase), and stores nothing. Needs no vault.`,
      keyless: true,
      input: () => ({ key: { text: PHRASE } }),
    },
    {
      name: 'import_key',
      note: msg`Imports a key from another program.`,
      input: () => ({ key: { text: PHRASE }, label: 'From elsewhere' }),
    },
  ],
}
