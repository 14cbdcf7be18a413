// Kills the browser at every kind of step that changes an account. One profile goes through all kills of a test, so each run starts with
// what the last kill left.
import type { Page } from '@playwright/test'
import { STRANGER } from '../tasks/support/person.ts'
import { type Stop, watchSteps, whenStopped } from './faults.ts'
import { expect, openVaultPage, type Profile, test } from './fixtures.ts'
import type { Site } from './site.js'

/** The most kills in one test, spread evenly over the operation's steps. KEYHOLE_KILLS=1000 kills at every step. */
const KILLS = Number(process.env.KEYHOLE_KILLS ?? 6)

const secret = (turn: number) => `violet anvil harbour number ${turn}`

/** What must be there after every kill: everything that an operation has confirmed. */
interface Known {
  readonly address: string
  /** CIDs of the tokens whose saving has resolved. */
  readonly tokens: string[]
  /** The passphrases that may open the account. After a kill during a change, either the old or the new one does. */
  secrets: string[]
  /** Other accounts and their passphrases. */
  readonly others: Map<string, string>
  /** A backup of the first account, with tokens that the account no longer has. */
  backup: string
}

interface Operation {
  /** Runs before each kill, in a page whose vault is open and unlocked. */
  prepare?(page: Page, known: Known, turn: number): Promise<void>
  /** The operation in which the browser is killed. It records in `known` what it has confirmed. */
  run(page: Page, known: Known, turn: number): Promise<void>
}

const OPERATIONS: Record<string, Operation> = {
  'making another account': {
    run: async (page, known, turn) => {
      const address = await page.evaluate(
        async (passphrase) => (await window.vault.create({ passphrase, label: 'Another' })).address,
        secret(turn),
      )
      known.others.set(address, secret(turn))
    },
  },
  'changing the passphrase': {
    prepare: async (_page, known, turn) => {
      known.secrets = [secret(turn), ...known.secrets]
    },
    run: async (page, known) => {
      const [next = '', now = ''] = known.secrets
      await page.evaluate(([from, to]) => window.vault.changePassphrase(from, to), [now, next] as const)
      known.secrets = [next]
    },
  },
  'merging a backup in': {
    prepare: async (page, known) => {
      // Remove what an earlier run has imported, so that there is something to import.
      await page.evaluate(async (wanted) => {
        for (const { cid, id } of await window.vault.tokens.list()) {
          if (!wanted.includes(cid)) await window.vault.tokens.remove(id)
        }
      }, known.tokens)
    },
    run: async (page, known) => {
      await page.evaluate(
        ([text, exportPassphrase]) => window.vault.importVault({ text, exportPassphrase }),
        [known.backup, secret(0)] as const,
      )
    },
  },
  'switching to another account': {
    run: async (page, known) => {
      const [other = ''] = known.others.keys()
      await page.evaluate((address) => window.vault.accounts.open(address), other)
    },
  },
  locking: {
    run: async (page) => {
      await page.evaluate(() => window.vault.lock())
    },
  },
  'saving a token': {
    run: async (page, known) => {
      const cid = await page.evaluate(
        async (audience_did) =>
          (await window.vault.tokens.grant({ audience_did, command: '/msg/send', label: 'Another' })).cid,
        STRANGER,
      )
      known.tokens.push(cid)
    },
  },
}

/** Creates two accounts, the first with tokens and a backup, then removes some of those tokens. */
async function makeAccounts(page: Page): Promise<Known> {
  const { address, tokens, other, backup } = await page.evaluate(
    async ([first, second, stranger]) => {
      const vault = await window.openVault()
      const { address: other } = await vault.create({ passphrase: second, label: 'Second' })
      const { address } = await vault.create({ passphrase: first, label: 'First' })
      const tokens: string[] = []
      for (let count = 0; count < 12; count += 1) {
        const request = { audience_did: stranger, command: '/msg/send', label: `Number ${count}` }
        tokens.push((await vault.tokens.grant(request)).cid)
      }
      const proof = { passphrase: first }
      const { text } = await vault.exportVault({ proof, exportPassphrase: first })
      const gone = (await vault.tokens.list()).filter(({ cid }) => tokens.indexOf(cid) >= 4)
      for (const { id } of gone) await vault.tokens.remove(id)
      return { address, tokens: tokens.slice(0, 4), other, backup: text }
    },
    [secret(0), secret(1), STRANGER] as const,
  )
  return { address, tokens, secrets: [secret(0)], others: new Map([[other, secret(1)]]), backup }
}

async function start(profile: Profile, site: Site): Promise<Page> {
  const page = await profile.start()
  await watchSteps(page)
  await openVaultPage(page, site)
  return page
}

/** Opens what is stored and expects everything known to be there. Leaves the first account open and unlocked. */
async function expectEverything(page: Page, known: Known, turn: number): Promise<void> {
  await page.evaluate(() => window.openVault().then(() => undefined))
  const { accounts, failed } = await page.evaluate(() => {
    const { accounts, error } = window.vault.getSnapshot()
    return { accounts: accounts.map(({ address }) => address), failed: error?.message }
  })
  expect(failed).toBeUndefined()
  expect(accounts).toEqual(expect.arrayContaining([known.address, ...known.others.keys()]))
  // An account left by a killed creation is either complete or missing.
  for (const address of accounts) {
    if (address === known.address || known.others.has(address)) continue
    expect(await opensWith(page, address, [secret(turn - 1)])).toBe(secret(turn - 1))
    known.others.set(address, secret(turn - 1))
  }
  const opened = await opensWith(page, known.address, known.secrets)
  known.secrets = [opened]
  const tokens = await page.evaluate(async () =>
    (await window.vault.tokens.list()).map(({ cid, label }) => ({ cid, label })),
  )
  expect(tokens.map(({ cid }) => cid)).toEqual(expect.arrayContaining(known.tokens))
  expect(tokens.filter(({ label }) => label === undefined)).toEqual([])
}

/** @returns the one of these passphrases that opens the account. The account is then open. */
async function opensWith(page: Page, address: string, secrets: readonly string[]): Promise<string> {
  const opened = await page.evaluate(
    async ([account, passphrases]) => {
      const { vault } = window
      if (vault.getSnapshot().address !== account) await vault.accounts.open(account)
      for (const passphrase of passphrases) {
        const code = await vault.unlock(passphrase).catch((error) => String(error.code))
        if (code === undefined) return passphrase
        if (code !== 'INVALID_PASSPHRASE') throw new Error(code)
      }
      return undefined
    },
    [address, secrets] as const,
  )
  expect(secrets, `what opens ${address}`).toContain(opened)
  return opened ?? ''
}

/** Kills the browser when the operation is about to take this step. */
async function killAt(
  step: number,
  page: Page,
  profile: Profile,
  work: () => Promise<void>,
): Promise<Stop | undefined> {
  const stopped = whenStopped(page).catch(() => undefined)
  await page.evaluate((at) => window.stopAtStep(at), step)
  const stop = await Promise.race([stopped, work().then(() => undefined)])
  await profile.kill()
  return stop
}

/** At most `KILLS` of the steps from 1 to `count`, always including the first and the last. */
function spread(count: number): number[] {
  if (count <= KILLS) return Array.from({ length: count }, (_, index) => index + 1)
  const steps = Array.from(
    { length: KILLS },
    (_, index) => 1 + Math.round((index * (count - 1)) / (KILLS - 1)),
  )
  return [...new Set(steps)]
}

for (const [name, { prepare, run }] of Object.entries(OPERATIONS)) {
  test(`killed while ${name}, the browser comes back with everything`, async ({ profile, site }) => {
    test.setTimeout(60_000 + 20_000 * KILLS)
    let page = await start(profile, site)
    const known = await makeAccounts(page)
    // First run it to the end to see which steps there are.
    let turn = 2
    await prepare?.(page, known, turn)
    await page.evaluate(() => window.stopAtStep(0))
    await run(page, known, turn)
    const steps = await page.evaluate(() => window.stepsTaken())
    await profile.close()

    const stops: string[] = []
    for (const step of spread(steps.length)) {
      let stop: Stop | undefined
      // Timing decides which steps there are, so a run may end before it has taken as many.
      for (let attempt = 0; attempt < 3 && stop === undefined; attempt += 1) {
        turn += 1
        page = await start(profile, site)
        await test.step(`after a kill at ${stops.at(-1) ?? 'no step yet'}`, () =>
          expectEverything(page, known, turn))
        await prepare?.(page, known, turn)
        stop = await killAt(step, page, profile, () => run(page, known, turn))
      }
      stops.push(stop ? `step ${stop.step} of ${steps.length}, ${stop.what}` : 'the end')
    }
    page = await start(profile, site)
    await expectEverything(page, known, turn + 1)
    expect(stops.filter((stop) => stop !== 'the end').length).toBeGreaterThanOrEqual(
      Math.min(KILLS, steps.length) - 1,
    )
    test.info().annotations.push({ type: 'kills', description: stops.join('\n') })
  })
}
