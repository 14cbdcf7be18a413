import { expect, it } from 'vitest'
import * as api from './index.ts'
import * as devices from './sync/index.ts'

it('exports this and nothing else', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "AUTO_LOCK_WARNING",
      "CONTACTS_MAX",
      "CONTACT_DIDS_MAX",
      "CONTACT_KINDS",
      "CONTACT_NAME_MAX",
      "CONTACT_NOTE_MAX",
      "DATABASE_PREFIX",
      "DEFAULT_AUTO_LOCK",
      "DEFAULT_CHAIN_ID",
      "DEFAULT_CLEANUP_INTERVAL",
      "DEFAULT_WASM_PATH",
      "KeyVault",
      "MIN_AUTO_LOCK",
      "PASSPHRASE_MAX_BYTES",
      "PASSPHRASE_MIN_CHARACTERS",
      "PASSPHRASE_MIN_SCORE",
      "SCHEMA_VERSION",
      "TEMPLATES_MAX",
      "TEMPLATE_NAME_MAX",
      "VaultClient",
      "VaultError",
      "VaultEvents",
      "askPasskey",
      "canUsePasskeys",
      "cleanContactName",
      "createPasskey",
      "forgetPasskey",
      "hasPasskeys",
      "normalisePassphrase",
      "toCsv",
    ]
  `)
})

it('has the documented constants', () => {
  expect(api).toMatchObject({
    DEFAULT_CHAIN_ID: 'keyhole-1',
    DEFAULT_WASM_PATH: '/enclave.wasm',
    DEFAULT_CLEANUP_INTERVAL: 3_600_000,
    DATABASE_PREFIX: 'vault_',
    SCHEMA_VERSION: 1,
  })
})

it('the parts of a KeyVault have these members', () => {
  const parts = Object.entries(new api.KeyVault()).filter(([, part]) => typeof part === 'object')
  expect(Object.fromEntries(parts.map(([name, part]) => [name, Object.keys(part).sort()]))).toMatchSnapshot()
})

it('the entry for devices has two functions, and its part these members', () => {
  expect(Object.keys(devices)).toEqual(['readPairingText', 'devicesOf'])
  const vault = new api.KeyVault()
  const part = devices.devicesOf(vault)
  expect(Object.keys(part).sort()).toEqual(
    [
      ...['state', 'start', 'rename', 'remove', 'retry'],
      ...['beginJoining', 'joiningDigits', 'join', 'readPairingCode', 'add', 'cancelPairing'],
      ...['recover', 'beginLimited', 'joinLimited', 'leaveLimited'],
    ].sort(),
  )
  expect(devices.devicesOf(vault)).toBe(part)
})
