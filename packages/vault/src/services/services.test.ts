// Services with the real enclave: introductions from strangers, and what is saved of them.
import { describe, expect, it, vi } from 'vitest'
import {
  container,
  delegation,
  type Fields,
  invocation,
  type Person,
  person,
} from '../../../enclave/src/test/naive-tokens.ts'
import { sealTexts } from '../enclave/sealed-text.ts'
import type { KeyVault } from '../key-vault.ts'
import { dumpDisk, freshBrowser, MemoryStorage, rawPut, settled } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import {
  forgetService,
  INTRODUCTION,
  LONGEST_INTRODUCTION_TEXT,
  readIntroduction,
  readServices,
  saveService,
} from './index.ts'

freshBrowser()
const vaults = new OpenVaults()
const gate = person(31)
const other = person(32)
const FILE = 'another passphrase for the file'

const soon = () => BigInt(Math.floor(Date.now() / 1_000) + 300)
const tool = (changes: object = {}) => ({
  name: 'read_text_file',
  description: 'Reads a file',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  paths: ['path'],
  ...changes,
})
const SAID = {
  name: 'Office gate',
  at: 1_800_000_000,
  address: 'https://gate.example',
  servers: [{ name: 'files', tools: [tool()] }],
  services: [{ name: 'github', methods: ['GET'], paths: ['/repos/me/*'] }],
}

/** JSON of a schema with so many levels. */
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const withSchema = (schema: string) =>
  JSON.stringify({ ...SAID, servers: [{ name: 'files', tools: [tool({ schema: 0 })] }] }).replace(
    '"schema":0',
    `"schema":${schema}`,
  )

/** The text of an introduction, signed by a gate. */
function text(said: unknown, changes: Fields = {}, by: Person = gate): string {
  const json = typeof said === 'string' ? said : JSON.stringify(said)
  const args = new Map([['introduction', json]])
  const signed = invocation(by, by, [], { cmd: '/service/introduce', args, exp: soon(), ...changes })
  return `${INTRODUCTION}${container([signed])}`
}

async function begin(config = {}): Promise<KeyVault> {
  const vault = await vaults.start(config)
  await vault.create(openedByPasskey())
  return vault
}

async function introduced(vault: KeyVault, from: string) {
  const read = await readIntroduction(vault, from)
  if ('problem' in read) throw new Error(read.problem)
  return read.introduced
}

describe('an introduction', () => {
  it('is read from a text and from a link, also by a locked vault', async () => {
    const vault = await vaults.start()
    const said = { ...SAID, did: gate.did }
    for (const from of [
      text(SAID),
      `https://vault.example/identity?tab=contacts#${text(SAID)}`,
      text(SAID).replace(/(.{60})/g, '$1\n  '),
      text({ ...SAID, later: { anything: [1] } }),
    ])
      expect(await readIntroduction(vault, from)).toMatchObject({ introduced: said })
  })

  it('has schemas with up to 64 levels', async () => {
    const vault = await vaults.start()
    expect(await readIntroduction(vault, text(withSchema(nested(64))))).toMatchObject({
      introduced: { did: gate.did },
    })
  })

  it.each<[string, string, () => string]>([
    ['nothing', 'none', () => ''],
    ['a request', 'none', () => 'keyhole-request-1.e30'],
    ['one that was cut off', 'none', () => text(SAID).slice(0, -20)],
    ['something else with its prefix', 'none', () => `${INTRODUCTION}e30`],
    [
      'a link that is far too long',
      'too-long',
      () => text(SAID).padStart(LONGEST_INTRODUCTION_TEXT + 1, 'x'),
    ],
    ['one from last month', 'expired', () => text(SAID, { exp: 1_700_000_000n })],
    ['a changed signature', 'unsigned', () => text(SAID, {}, { ...gate, did: other.did })],
    ['one about someone else', 'unsigned', () => text(SAID, { sub: other.did })],
    ['another command', 'unsigned', () => text(SAID, { cmd: '/service' })],
    [
      'one that someone was allowed to sign',
      'unsigned',
      () => {
        const proof = delegation(gate, other, { cmd: '/service/introduce' })
        const args = new Map([['introduction', JSON.stringify(SAID)]])
        const made = { cmd: '/service/introduce', args, exp: soon() }
        return `${INTRODUCTION}${container([proof, invocation(other, gate, [proof], made)])}`
      },
    ],
    ['something that is not JSON', 'damaged', () => text('{')],
    ['JSON without end', 'damaged', () => text('['.repeat(60_000))],
    ['too much JSON', 'damaged', () => text({ ...SAID, filler: 'x'.repeat(70_000) })],
    [
      'more arguments',
      'damaged',
      () =>
        text(SAID, {
          args: new Map([
            ['introduction', '{}'],
            ['more', ''],
          ]),
        }),
    ],
    ['a schema that is nested too deep', 'too-deep', () => text(withSchema(nested(65)))],
    ['a schema that is nested without end', 'too-deep', () => text(withSchema(nested(30_000)))],
    ['no name', 'damaged', () => text({ ...SAID, name: ' ' })],
    ['a name that is too long', 'damaged', () => text({ ...SAID, name: 'x'.repeat(61) })],
    ['an address that runs a script', 'damaged', () => text({ ...SAID, address: 'javascript:alert(1)' })],
    [
      'an address with a password',
      'damaged',
      () => text({ ...SAID, address: 'https://bank.example@evil.example' }),
    ],
    ['an address without TLS', 'damaged', () => text({ ...SAID, address: 'http://gate.example' })],
    [
      'a description that is too long',
      'damaged',
      () =>
        text({ ...SAID, servers: [{ name: 'files', tools: [tool({ description: 'x'.repeat(1_001) })] }] }),
    ],
    [
      'two tools of one name',
      'damaged',
      () =>
        text({ ...SAID, servers: [{ name: 'files', tools: [tool(), tool({ description: 'Deletes it' })] }] }),
    ],
    [
      'two servers of one name',
      'damaged',
      () =>
        text({
          ...SAID,
          servers: [
            { name: 'files', tools: [] },
            { name: 'files', tools: [] },
          ],
        }),
    ],
    [
      'too many tools',
      'damaged',
      () =>
        text({
          ...SAID,
          servers: [
            { name: 'files', tools: Array.from({ length: 201 }, (_, at) => ({ name: `t${at}`, paths: [] })) },
          ],
        }),
    ],
    [
      'a server with a name that no gate has',
      'damaged',
      () => text({ ...SAID, servers: [{ name: 'Файлы', tools: [] }] }),
    ],
    [
      'a suggestion that is no path',
      'damaged',
      () => text({ ...SAID, servers: [{ name: 'files', tools: [], suggest: ['javascript:alert(1)'] }] }),
    ],
    [
      'too many suggestions',
      'damaged',
      () => text({ ...SAID, servers: [{ name: 'files', tools: [], suggest: Array(51).fill('/home/*') }] }),
    ],
    [
      'a resource that is no URI',
      'damaged',
      () => text({ ...SAID, servers: [{ name: 'files', tools: [], resources: [{ uri: 'letters' }] }] }),
    ],
    [
      'a template without a gap',
      'damaged',
      () => text({ ...SAID, servers: [{ name: 'files', tools: [], templates: [{ uri: 'doc://letters' }] }] }),
    ],
    [
      'two prompts of one name',
      'damaged',
      () => text({ ...SAID, servers: [{ name: 'files', tools: [], prompts: [tool(), tool()] }] }),
    ],
    [
      'a prompt that is nested too deep',
      'too-deep',
      () => text(withSchema(nested(65)).replace('"tools":', '"tools":[],"prompts":')),
    ],
    [
      'a method that is none',
      'damaged',
      () => text({ ...SAID, services: [{ name: 'github', methods: ['STEAL'] }] }),
    ],
  ])('is refused: %s', async (_, problem, from) => {
    const vault = await vaults.start()
    expect(await readIntroduction(vault, from())).toEqual({ problem })
  })
})

describe('a saved service', () => {
  it('is sealed, and is there after an unlock only', async () => {
    const vault = await begin()
    expect(await saveService(vault, await introduced(vault, text(SAID)))).toBe(true)
    const found = (await readServices(vault)).get(gate.did)
    expect(found).toMatchObject({ name: 'Office gate', servers: SAID.servers, services: SAID.services })
    const disk = await dumpDisk()
    for (const secret of ['Office', 'gate.example', 'read_text_file', gate.did])
      expect(disk).not.toContain(secret)
    await vault.lock()
    await expect(readServices(vault)).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await vault.unlock(passkeyProof())
    expect((await readServices(vault)).get(gate.did)).toEqual(found)
  })

  it('is replaced by what it said later, never by what it said before, and by no one else', async () => {
    const vault = await begin()
    const said = async (changes: object, by = gate) =>
      await saveService(vault, await introduced(vault, text({ ...SAID, ...changes }, {}, by)))
    expect(await said({})).toBe(true)
    expect(await said({ at: SAID.at + 60, servers: [] })).toBe(true)
    expect(await said({ at: SAID.at + 30 })).toBe(false)
    expect(await said({ name: 'Another' }, other)).toBe(true)
    const services = await readServices(vault)
    expect([...services.keys()].sort()).toEqual([gate.did, other.did].sort())
    expect(services.get(gate.did)?.servers).toEqual([])
  })

  it('is removed and brought back, and an old copy does not bring it back', async () => {
    const vault = await begin()
    await saveService(vault, await introduced(vault, text(SAID)))
    const { text: backup } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
    const gone = await forgetService(vault, gate.did)
    expect((await readServices(vault)).size).toBe(0)
    expect(await forgetService(vault, gate.did)).toBeUndefined()
    await vault.importVault({ text: backup, exportPassphrase: FILE })
    expect((await readServices(vault)).size).toBe(0)
    if (gone) await saveService(vault, gone)
    expect((await readServices(vault)).get(gate.did)?.name).toBe('Office gate')
  })

  it('comes with a backup into another browser', async () => {
    const vault = await begin()
    await saveService(vault, await introduced(vault, text(SAID)))
    const { text: backup } = await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })
    expect(backup).not.toContain('Office')
    await vaults.closeAll()
    for (const { name } of await indexedDB.databases())
      if (name) await settled(indexedDB.deleteDatabase(name))
    vi.stubGlobal('localStorage', new MemoryStorage())
    const after = await vaults.start()
    await after.importVault({
      text: backup,
      exportPassphrase: FILE,
      passphrase: 'correct horse battery staple',
    })
    expect((await readServices(after)).get(gate.did)).toMatchObject({ name: 'Office gate', did: gate.did })
  })

  it('without persistence is there until the page is closed', async () => {
    const vault = await begin({ enablePersistence: false })
    await saveService(vault, await introduced(vault, text(SAID)))
    expect((await readServices(vault)).size).toBe(1)
    await forgetService(vault, gate.did)
    expect((await readServices(vault)).size).toBe(0)
  })

  it('that does not parse, or was moved to another place, is skipped and stays', async () => {
    const vault = await begin()
    await saveService(vault, await introduced(vault, text(SAID)))
    const { address = '' } = vault.getSnapshot()
    const moved = JSON.stringify({
      did: gate.did,
      introduction: JSON.stringify({ ...SAID, name: 'Moved' }),
      savedAt: 1,
    })
    for (const [key, value] of [
      ['service:odd', '{"did":7}'],
      ['service:moved', moved],
    ] as const) {
      const [sealed = ''] = await sealTexts(clientOf(vault).enclave, [
        { context: `metadata:${key}`, text: value },
      ])
      await rawPut(address, 'metadata', { id: key, accountAddress: address, key, updatedAt: 1, sealed })
    }
    expect([...(await readServices(vault)).values()]).toMatchObject([{ name: 'Office gate' }])
    expect(await dumpDisk()).toContain('service:odd')
  })
})
