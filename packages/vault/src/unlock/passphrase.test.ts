import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { OwnRefusalName } from '../base/refusals.ts'
import { KeyVault } from '../key-vault.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { checkNewPassphrase } from './passphrase.ts'
import { judgePassphrase } from './passphrase-judge.ts'
import { normalisePassphrase } from './unlock-proof.ts'

vi.unmock(import('./passphrase-judge.ts'))

// Loads the dictionaries up front, so that no single test times out waiting for them.
beforeAll(async () => void (await judgePassphrase('violet anvil harbour')), 60_000)

const invalid = (name: OwnRefusalName, args?: object) => ({
  ...{ name: 'VaultError', code: 'INVALID_PASSPHRASE' },
  details: args === undefined ? { name } : { name, args },
})

describe('a new passphrase', () => {
  it.each<[string, OwnRefusalName]>([
    ['eleven char', 'PassphraseTooShort'],
    // Eleven characters in NFKC, though twenty-two code units.
    ['🔑'.repeat(11), 'PassphraseTooShort'],
    // NFKC turns each pair into one character.
    ['e\u0301'.repeat(11), 'PassphraseTooShort'],
    ['a'.repeat(1025), 'PassphraseTooLong'],
    ['é'.repeat(513), 'PassphraseTooLong'],
  ])('%j is refused', async (passphrase, name) => {
    await expect(checkNewPassphrase(passphrase, undefined)).rejects.toMatchObject(invalid(name))
  })

  it.each(['twelve chars', '🔑'.repeat(12), 'a'.repeat(1024), 'é'.repeat(512)])(
    '%j passes',
    async (passphrase) => {
      expect(await checkNewPassphrase(passphrase, async () => ({ score: 4 }))).toBe(passphrase)
    },
  )

  it.each([
    'passwordpassword',
    'aaaaaaaaaaaa',
    'qwertyuiop12',
    '123456789012',
    'keyholekeyhole',
    'ab'.repeat(500),
  ])('%j is too easy to guess with the default check', async (passphrase) => {
    await expect(checkNewPassphrase(passphrase, undefined)).rejects.toMatchObject(
      invalid('PassphraseTooEasy'),
    )
  })

  it('of some uncommon words passes with the default check', async () => {
    expect(await checkNewPassphrase('violet anvil harbour', undefined)).toBe('violet anvil harbour')
  })

  it('is checked by a vault without any configuration', async () => {
    const vault = new KeyVault({ enablePersistence: false }, new EnclaveWorld())
    await vault.initialize()
    await expect(vault.create({ passphrase: 'passwordpassword' })).rejects.toMatchObject({
      code: 'INVALID_PASSPHRASE',
    })
    expect(vault.getSnapshot().phase).toBe('empty')
    await vault.cleanup()
  })

  it('is scored in its normalized form, and needs a score of 3', async () => {
    const assessed: string[] = []
    const assess = (score: number, feedback?: string) => async (text: string) => {
      assessed.push(text)
      return feedback === undefined ? { score } : { score, feedback }
    }
    expect(await checkNewPassphrase('ﬁne long pass phrase', assess(3))).toBe('fine long pass phrase')
    expect(assessed).toEqual(['fine long pass phrase'])
    await expect(checkNewPassphrase('fine long pass phrase', assess(2, 'Too common.'))).rejects.toMatchObject(
      invalid('PassphraseTooEasy', { feedback: 'Too common.' }),
    )
    await expect(checkNewPassphrase('fine long pass phrase', assess(Number.NaN))).rejects.toMatchObject({
      code: 'INVALID_PASSPHRASE',
    })
  })
})

it('is the same from keyboards that compose characters differently', () => {
  expect(normalisePassphrase('cafe\u0301')).toBe(normalisePassphrase('caf\u00e9'))
})
