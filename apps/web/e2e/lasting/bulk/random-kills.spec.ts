// Kills the browser at random moments while an account with many tokens is imported, merged or restored. The page goes on until its
// processes end, so the kill meets whatever they are doing. KEYHOLE_KILLS=40 kills 40 times in each test; KEYHOLE_SEED repeats the moments.
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { STRANGER } from '../../tasks/support/person.ts'
import { copyProfile } from '../chromium.js'
import { damage } from '../damage.js'
import { watchSteps, whenStopped } from '../faults.ts'
import { test as base, expect, openVaultPage, Profile } from '../fixtures.ts'
import type { Site } from '../site.js'
import { FILE_PASSPHRASE, manyBackups } from './many-backup.js'

const KILLS = Number(process.env.KEYHOLE_KILLS ?? 3)
const SEED = Number(process.env.KEYHOLE_SEED ?? randomInt(2 ** 31))
/** More than are written together with the keys. */
const TOKENS = Number(process.env.KEYHOLE_TOKENS ?? 5_000)
/** In the account that the backup is merged into, and in the one beside the account that is imported. */
const FEW = 10
const PASSPHRASE = 'violet anvil harbour thirty'

interface Backups {
  /** The account's address. */
  readonly address: string
  /** Paths of its backups. */
  readonly small: string
  readonly large: string
}

/** What is known to have been confirmed. */
interface Known {
  /** CIDs of grants in the account that was open first. */
  readonly granted: string[]
  /** Whether the work was done. */
  isDone: boolean
}

/** Something long, during which the browser is killed. */
interface Work {
  /** Makes what every kill starts from. @returns CIDs of what was granted */
  prepare(page: Page, backups: Backups): Promise<string[]>
  /** Changes the closed profile after that. */
  damage?(folder: string): void
  /** Runs before the work, and is not part of it. */
  open?(page: Page): Promise<void>
  run(page: Page, backups: Backups, known: Known): Promise<void>
  /** Whether the browser has the account now, after a kill. Fails if it has part of it. */
  hasAll(page: Page, backups: Backups, known: Known): Promise<boolean>
}

/** Numbers from 0 to 1 that look random and are the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const test = base.extend<object, { backups: Backups }>({
  backups: [
    async ({ browserName: _ }, use) => {
      const { address, files } = await manyBackups([FEW, TOKENS])
      const folder = mkdtempSync(join(tmpdir(), 'keyhole-many-'))
      const [small, large] = ['small', 'large'].map((name) => join(folder, `${name}.keyhole.json`))
      if (!small || !large) throw new Error('There is no file')
      for (const [at, path] of [small, large].entries()) writeFileSync(path, (files[at] ?? []).join(''))
      await use({ address, small, large })
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
})

const open = async (page: Page) => page.evaluate(() => window.openVault().then(() => undefined))
const unlock = async (page: Page) =>
  page.evaluate((passphrase) => window.vault.unlock(passphrase), PASSPHRASE)

/** Signs some grants, one after another. @param told gets the CID of each once it is confirmed */
async function grant(page: Page, count: number, told: (cid: string) => void): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const one = { audience_did: STRANGER, command: '/msg/send', label: `Granted ${done}` }
    told(await page.evaluate(async (request) => (await window.vault.tokens.grant(request)).cid, one))
  }
}

async function importFile(page: Page, path: string, passphrase?: string): Promise<void> {
  await page.evaluate(() => {
    document.querySelector('input')?.remove()
    document.body.append(Object.assign(document.createElement('input'), { type: 'file' }))
  })
  await page.locator('input').setInputFiles(path)
  await page.evaluate(
    async ([exportPassphrase, own]) => {
      const [text] = document.querySelector('input')?.files ?? []
      if (!text) throw new Error('No file was chosen')
      await window.vault.importVault({
        text,
        exportPassphrase,
        ...(own !== undefined && { passphrase: own }),
      })
    },
    [FILE_PASSPHRASE, passphrase] as const,
  )
}

/** What the browser says it has. */
const shown = (page: Page) =>
  page.evaluate(() => {
    const { accounts, lost, error } = window.vault.getSnapshot()
    return {
      accounts: accounts.map(({ address }) => address),
      lost: lost.map(({ address }) => address),
      failed: error?.message,
    }
  })

/** Opens an account, and reads all of it. */
async function read(page: Page, address: string) {
  await page.evaluate(async (account) => {
    const { vault } = window
    if (vault.getSnapshot().address !== account) await vault.accounts.open(account)
  }, address)
  await unlockIfLocked(page)
  return await page.evaluate(async () => {
    const tokens = await window.vault.tokens.list()
    const { missing, rewritten } = await window.vault.activity.read()
    const unnamed = tokens.filter(({ label }) => label === undefined).length
    return { cids: tokens.map(({ cid }) => cid), unnamed, missing, rewritten }
  })
}

/** Reads an account, and expects all that is there to be whole. @returns the CIDs of its tokens */
async function readWhole(page: Page, address: string): Promise<Set<string>> {
  const { cids, ...found } = await read(page, address)
  expect(found).toEqual({ unnamed: 0, missing: [], rewritten: [] })
  expect(new Set(cids).size).toBe(cids.length)
  return new Set(cids)
}

/** Resolves once nothing is written in the background any more. */
async function settled(page: Page): Promise<void> {
  const mirror = () => page.evaluate(async () => (await window.vault.accounts.storageHealth()).mirror)
  await expect.poll(mirror, { timeout: 120_000 }).toBe('whole')
}

const WORKS: Record<string, Work> = {
  'importing many tokens': {
    prepare: async (page) => {
      await page.evaluate(
        (passphrase) => window.vault.create({ passphrase, label: 'First' }).then(() => undefined),
        PASSPHRASE,
      )
      const granted: string[] = []
      await grant(page, FEW, (cid) => granted.push(cid))
      return granted
    },
    run: (page, { large }) => importFile(page, large, PASSPHRASE),
    hasAll: async (page, { address }, { granted }) => {
      const { accounts, lost, failed } = await shown(page)
      expect({ lost, failed }).toEqual({ lost: [], failed: undefined })
      const first = accounts.find((each) => each !== address) ?? ''
      expect([...(await readWhole(page, first))]).toEqual(expect.arrayContaining(granted))
      if (!accounts.includes(address)) return false
      expect((await readWhole(page, address)).size).toBe(TOKENS)
      return true
    },
  },
  'merging many tokens': {
    prepare: async (page, { small }) => {
      await importFile(page, small, PASSPHRASE)
      await unlockIfLocked(page)
      const granted: string[] = []
      await grant(page, FEW, (cid) => granted.push(cid))
      return granted
    },
    open: unlock,
    run: async (page, { large }, { granted }) => {
      const granting = grant(page, FEW, (cid) => granted.push(cid))
      granting.catch(() => undefined)
      await importFile(page, large)
      await granting
    },
    hasAll: async (page, { address }, { granted }) => {
      const { accounts, lost, failed } = await shown(page)
      expect({ accounts, lost, failed }).toEqual({ accounts: [address], lost: [], failed: undefined })
      const cids = await readWhole(page, address)
      expect([...cids]).toEqual(expect.arrayContaining(granted))
      return cids.size >= granted.length + FEW + TOKENS
    },
  },
  'restoring many tokens': {
    prepare: async (page, { large }) => {
      await importFile(page, large, PASSPHRASE)
      await unlockIfLocked(page)
      const granted: string[] = []
      await grant(page, FEW, (cid) => granted.push(cid))
      await settled(page)
      // Until an import has settled, the second copy lacks what isn't a token. This waits until it has everything.
      await page.evaluate(() => window.vault.accounts.renewCopy().then(() => undefined))
      return granted
    },
    damage: (folder) => damage(folder, 'IndexedDB', 'was deleted'),
    run: async (page, { address }) => {
      await page.evaluate((lost) => window.vault.accounts.restoreLost(lost).then(() => undefined), address)
    },
    hasAll: async (page, { address }, { granted }) => {
      const { accounts, lost, failed } = await shown(page)
      expect([...accounts, ...lost]).toEqual([address])
      if (lost.length > 0) return false
      expect(failed).toBeUndefined()
      const cids = await readWhole(page, address)
      expect([...cids]).toEqual(expect.arrayContaining(granted))
      expect(cids.size).toBe(TOKENS + FEW)
      return true
    },
  },
}

async function unlockIfLocked(page: Page): Promise<void> {
  if ((await page.evaluate(() => window.vault.getSnapshot().phase)) === 'locked') await unlock(page)
}

async function start(profile: Profile, site: Site): Promise<Page> {
  const page = await profile.start()
  await watchSteps(page)
  await openVaultPage(page, site)
  await open(page)
  return page
}

for (const [name, work] of Object.entries(WORKS)) {
  test(`killed at random moments while ${name}, the browser has what was confirmed, and all or none`, async ({
    site,
    backups,
    profile,
  }) => {
    test.setTimeout(300_000 + 60_000 * KILLS)
    const granted = await work.prepare(await start(profile, site), backups)
    await profile.close()
    work.damage?.(profile.folder)

    /** Does something with a copy of what was prepared. */
    const onCopy = async <T>(use: (copy: Profile) => Promise<T>): Promise<T> => {
      const copy = new Profile(copyProfile(profile.folder))
      try {
        return await use(copy)
      } finally {
        await copy.remove()
        profile.errors.push(...copy.errors)
      }
    }
    const begin = async (copy: Profile) => {
      const page = await start(copy, site)
      await work.open?.(page)
      return { page, known: { granted: [...granted], isDone: false } }
    }

    // First to the end, to see how many steps there are, in the work and in what follows it in the background.
    const [during, after] = await onCopy(async (copy) => {
      const { page, known } = await begin(copy)
      await page.evaluate(() => window.tellAtStep(0))
      await work.run(page, backups, known)
      const count = () => page.evaluate(() => window.stepsTaken().length)
      const done = await count()
      await settled(page)
      return [done, await count()] as const
    })

    const next = numbers(SEED)
    const kills: string[] = []
    for (let turn = 0; turn < KILLS; turn += 1) {
      // Every third kill comes after the work, if anything goes on then.
      const isAfter = turn % 3 === 2 && after > during
      const step = isAfter ? during + Math.ceil(next() * (after - during)) : Math.ceil(next() * during)
      await test.step(`killed at step ${step} of ${during} and ${after - during} (seed ${SEED})`, () =>
        onCopy(async (copy) => {
          const { page, known } = await begin(copy)
          const reached = whenStopped(page)
          await page.evaluate((at) => window.tellAtStep(at), step)
          const whole = work.run(page, backups, known).then(() => {
            known.isDone = true
          })
          // A kill ends it with an error. Any other error is noticed below, because then there is no account.
          const ended = whole.then(() => settled(page)).catch(() => undefined)
          const stop = await Promise.race([reached.catch(() => ended), ended])
          await copy.kill()
          await ended

          const again = await start(copy, site)
          const hasAll = await work.hasAll(again, backups, known)
          kills.push(
            `step ${step}: ${stop?.what.slice(0, 60) ?? 'the end'}, ${known.isDone ? 'confirmed' : hasAll ? 'complete' : 'not there'}`,
          )
          if (known.isDone) expect(hasAll, 'what was confirmed is there').toBe(true)
          if (hasAll) return
          // What the kill left is in nobody's way.
          await work.run(again, backups, known)
          expect(await work.hasAll(again, backups, known)).toBe(true)
        }))
    }
    console.log(
      `${name}, seed ${SEED}, ${during} steps and ${after - during} afterwards\n${kills.join('\n')}`,
    )
  })
}
