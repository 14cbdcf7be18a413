import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { OwnRefusalName } from '../base/refusals.ts'
import { KeyVault } from '../key-vault.ts'
import { EnclaveWorld } from '../test/enclave-world.ts'
import { checkNewPassphrase } from './passphrase.ts'
import { judgePassphrase } from './passphrase-judge.ts'
import { normalisePassphrase } from './unlock-proof.ts'

vi.unmock(import('./passphrase-judge.ts'))

// Loading the dictionaries is nothing that a single test waits for.
beforeAll(async () => void (await judgePassphrase('violet anvil harbour')), 60_000)

const invalid = (name: OwnRefusalName, args?: object) => ({
  ...{ name: 'VaultError', code: 'INVALID_PASSPHRASE' },
  details: args === undefined ? { name } : { name, args },
})

describe('a new passphrase', () => {
  it.each<[string, OwnRefusalName]>([
    ['eleven char', 'PassphraseTooShort'],
    // Ten characters that NFKC does not make more of, though they are twenty code units.
    ['🔑'.repeat(11), 'PassphraseTooShort'],
    // Each of these becomes one character less.
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
  ])('%j is too easy to guess, also where nobody has named a judge', async (passphrase) => {
    await expect(checkNewPassphrase(passphrase, undefined)).rejects.toMatchObject(
      invalid('PassphraseTooEasy'),
    )
  })

  it('of some uncommon words passes where nobody has named a judge', async () => {
    expect(await checkNewPassphrase('violet anvil harbour', undefined)).toBe('violet anvil harbour')
  })

  it('is judged by a vault whose developer has configured nothing', async () => {
    const vault = new KeyVault({ enablePersistence: false }, new EnclaveWorld())
    await vault.initialize()
    await expect(vault.create({ passphrase: 'passwordpassword' })).rejects.toMatchObject({
      code: 'INVALID_PASSPHRASE',
    })
    expect(vault.getSnapshot().phase).toBe('empty')
    await vault.cleanup()
  })

  it('is assessed in its normalised form, and needs a score of 3', async () => {
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

it('keyboards that compose differently agree', () => {
  expect(normalisePassphrase('cafe\u0301')).toBe(normalisePassphrase('caf\u00e9'))
})
