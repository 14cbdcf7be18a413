// The owner's templates with the real enclave: sealed, in backups, merged, and never brought back once removed.
import { describe, expect, it, vi } from 'vitest'
import { sealTexts } from '../enclave/sealed-text.ts'
import type { KeyVault } from '../key-vault.ts'
import { dumpDisk, fillDisk, freshBrowser, MemoryStorage, rawPut, settled } from '../test/browser.ts'
import { clientOf } from '../test/client-of.ts'
import { TestClock } from '../test/clock.ts'
import { OpenVaults } from '../test/open-vaults.ts'
import { openedByPasskey, passkeyProof } from '../test/opening.ts'
import { TEMPLATE_NAME_MAX, TEMPLATE_TEXT_MAX, TEMPLATES_MAX } from './template.ts'

freshBrowser()
const vaults = new OpenVaults()

const PASSPHRASE = 'correct horse battery staple'
const FILE = 'another passphrase for the file'
const MAIL = { name: 'Weekly mail', command: '/msg/send', policy: '[["==",".to","anna@example.com"]]' }
const WEEK = 604_800

const refusal = (name: string) => ({ details: { name } })

async function alice(clock = new TestClock()) {
  const vault = await vaults.start({}, { clock })
  await vault.create(openedByPasskey({ label: 'Alice' }))
  return { vault, clock }
}

const backupOf = async (vault: KeyVault) =>
  (await vault.exportVault({ proof: passkeyProof(), exportPassphrase: FILE })).text
const merge = (vault: KeyVault, text: string) => vault.importVault({ text, exportPassphrase: FILE })
const names = async (vault: KeyVault) => (await vault.templates.list()).map(({ name }) => name)

describe('a template', () => {
  it('is stored sealed with a log line that has no name, and is there after an unlock only', async () => {
    const { vault, clock } = await alice()
    const changes: string[] = []
    vault.on('vault:changed', ({ change }) => changes.push(change))
    const saved = await vault.templates.save({ ...MAIL, name: ' Weekly\u202e  mail ', lifetime: WEEK })
    expect(saved).toMatchObject({ ...MAIL, lifetime: WEEK })
    expect(changes).toEqual(['templates'])
    const { lines } = await vault.activity.read()
    expect(lines.at(-1)).toMatchObject({ act: 'saveTemplate', about: { template: saved.id } })
    const disk = await dumpDisk()
    for (const secret of ['Weekly', '/msg/send', 'anna@example.com']) expect(disk).not.toContain(secret)

    await vaults.closeAll()
    const after = await vaults.start({}, { clock })
    await expect(after.templates.list()).rejects.toMatchObject({ code: 'VAULT_LOCKED' })
    await expect(after.templates.save({ ...MAIL, lifetime: WEEK })).rejects.toMatchObject({
      code: 'VAULT_LOCKED',
    })
    await after.unlock(passkeyProof())
    expect(await after.templates.list()).toEqual([saved])
  })

  it('is renamed and removed, in the order of time whatever the clock says', async () => {
    const { vault, clock } = await alice()
    const first = await vault.templates.save({ ...MAIL, lifetime: WEEK })
    clock.sleep(1)
    const second = await vault.templates.save({ ...MAIL, name: 'Photos', lifetime: 3600 })
    clock.sleep(-60_000)
    const renamed = await vault.templates.save({ id: first.id, name: 'Mail' })
    expect(renamed).toEqual({ ...first, name: 'Mail', updatedAt: renamed.updatedAt })
    expect(renamed.updatedAt).toBeGreaterThan(first.updatedAt)
    expect(await names(vault)).toEqual(['Mail', 'Photos'])
    expect(await vault.templates.remove(second.id)).toEqual(second)
    expect(await names(vault)).toEqual(['Mail'])
    await expect(vault.templates.remove(second.id)).rejects.toMatchObject(refusal('TemplateUnknown'))
    const { id } = second
    await expect(vault.templates.save({ id, name: 'x' })).rejects.toMatchObject(refusal('TemplateUnknown'))
  })

  it('has a name, and bounds', async () => {
    const { vault } = await alice()
    const given = { ...MAIL, lifetime: WEEK }
    for (const [wrong, name] of [
      [{ ...given, name: ' \u200b ' }, 'TemplateNameRequired'],
      [{ ...given, name: 'n'.repeat(TEMPLATE_NAME_MAX + 1) }, 'TemplateTooLong'],
      [{ ...given, policy: 'p'.repeat(TEMPLATE_TEXT_MAX) }, 'TemplateTooLong'],
    ] as const)
      await expect(vault.templates.save(wrong)).rejects.toMatchObject(refusal(name))
    expect(await vault.templates.list()).toEqual([])
    const { lifetime } = await vault.templates.save({ ...given, lifetime: -5 })
    expect(lifetime).toBe(1)
  })

  it('is one of so many', async () => {
    const vault = await vaults.start({ enablePersistence: false }, { clock: new TestClock() })
    await vault.create(openedByPasskey({ label: 'Alice' }))
    for (let each = 0; each < TEMPLATES_MAX; each += 1)
      await vault.templates.save({ ...MAIL, name: `${each}`, lifetime: WEEK })
    const more = vault.templates.save({ ...MAIL, lifetime: WEEK })
    await expect(more).rejects.toMatchObject(refusal('TemplatesTooMany'))
    expect(await vault.templates.list()).toHaveLength(TEMPLATES_MAX)
  })

  it('is not saved on a full disk, and those that were there stay', async () => {
    const { vault } = await alice()
    const saved = await vault.templates.save({ ...MAIL, lifetime: WEEK })
    const free = fillDisk('metadata')
    await expect(vault.templates.save({ ...MAIL, name: 'Photos', lifetime: WEEK })).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
    })
    free()
    expect(await vault.templates.list()).toEqual([saved])
  })

  it('that cannot be read is reported once and skipped, and unknown fields stay', async () => {
    const { vault } = await alice()
    const { address = '' } = vault.getSnapshot()
    const errors: string[] = []
    vault.on('vault:error', ({ operation }) => errors.push(operation))
    const later = { ...MAIL, id: 'later', lifetime: 60, createdAt: 1, updatedAt: 1, once: true }
    for (const [id, text] of [
      ['later', JSON.stringify(later)],
      ['odd', '{"id":"odd","name":7}'],
      ['other', JSON.stringify({ ...later, id: 'moved' })],
    ] as const) {
      const key = `template:${id}`
      const [sealed = ''] = await sealTexts(clientOf(vault).enclave, [{ context: `metadata:${key}`, text }])
      await rawPut(address, 'metadata', { id: key, accountAddress: address, key, updatedAt: 1, sealed })
    }
    expect(await names(vault)).toEqual(['Weekly mail'])
    expect(await names(vault)).toEqual(['Weekly mail'])
    expect(errors).toHaveLength(2)
    expect(await vault.templates.save({ id: 'later', name: 'Mail' })).toMatchObject({ once: true })
  })
})

describe('a backup', () => {
  it('brings templates to another browser, sealed in the file', async () => {
    const { vault, clock } = await alice()
    const saved = await vault.templates.save({ ...MAIL, lifetime: WEEK })
    const gone = await vault.templates.save({ ...MAIL, name: 'Photos', lifetime: WEEK })
    await vault.templates.remove(gone.id)
    const text = await backupOf(vault)
    expect(text).not.toContain('Weekly')
    await vaults.closeAll()
    for (const { name } of await indexedDB.databases())
      if (name) await settled(indexedDB.deleteDatabase(name))
    vi.stubGlobal('localStorage', new MemoryStorage())
    const other = await vaults.start({}, { clock })
    await other.importVault({ text, exportPassphrase: FILE, passphrase: PASSPHRASE })
    expect(await other.templates.list()).toEqual([saved])
  })

  it('that is older undoes neither a name nor a removal, and brings what is missing', async () => {
    const { vault, clock } = await alice()
    const mail = await vault.templates.save({ ...MAIL, lifetime: WEEK })
    const photos = await vault.templates.save({ ...MAIL, name: 'Photos', lifetime: WEEK })
    const text = await backupOf(vault)
    clock.sleep(1000)
    await vault.templates.save({ id: mail.id, name: 'Mail' })
    await vault.templates.remove(photos.id)
    await merge(vault, text)
    expect(await names(vault)).toEqual(['Mail'])
  })
})
