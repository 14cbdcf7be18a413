// A person's tasks in Firefox and WebKit, on the production build, one after the other in one browser.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from './browsers/browser.ts'
import { ENGINES } from './browsers/installed.ts'
import { freePort } from './browsers/webkit.ts'
import { Page } from './page.ts'
import {
  check,
  deleteDatabase,
  expectLocked,
  expectUnlocked,
  grant,
  lock,
  makeVault,
  restore,
  revoke,
  unlock,
  visit,
  writeBackup,
} from './person.ts'

/** Also run WebKit, until ten runs in a row have passed beside other load (088). */
const ALL = process.env.KEYHOLE_ENGINES === 'all'

const LABEL = 'Holiday mails'
const GRANTED = { role: 'article', name: new RegExp(LABEL) } as const

let origin = ''
let stop = async () => {}

beforeAll(async () => {
  const port = await freePort()
  const relay = mkdtempSync(join(tmpdir(), 'keyhole-relay-'))
  const server = spawn(process.execPath, ['apps/web/src/server/main.js'], {
    env: { ...process.env, PORT: String(port), KEYHOLE_RELAY: relay },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(server, 'exit')
  origin = `http://localhost:${port}`
  stop = async () => {
    server.kill()
    await ended
    rmSync(relay, { recursive: true, force: true })
  }
  for (const until = Date.now() + 30_000; ; await wait(100)) {
    try {
      await fetch(origin)
      return
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
})

afterAll(() => stop())

for (const { name, start, hasSecondCopy } of ENGINES) {
  describe.skipIf(start === undefined || (name === 'WebKit' && !ALL))(name, () => {
    let browser: Browser | undefined
    let page: Page
    let address = ''
    let token = ''
    let backup = ''

    beforeAll(async () => {
      browser = await start?.()
      if (browser) page = new Page(await browser.tab())
    })
    afterAll(() => browser?.close())

    it('creates a vault with a passphrase', async () => {
      address = await makeVault(page, origin)
      await expectUnlocked(page)
    })

    it('locks, refuses a wrong passphrase, and unlocks', async () => {
      await lock(page)
      await unlock(page, 'certainly not this one')
      await page.sees({
        role: 'text',
        name: /does not open|doesn’t open|doesn't open|wrong/i,
        within: 'dialog',
      })
      await page.tab.open(origin)
      await unlock(page)
      await expectUnlocked(page)
    })

    it('grants, and the token is valid', async () => {
      token = await grant(page, LABEL)
      expect(await check(page, token)).toBe('Valid.')
    })

    it('locks two tabs together and unlocks them together', async () => {
      const other = new Page(await (browser as Browser).tab())
      await other.tab.open(origin)
      await expectUnlocked(other)
      await lock(other)
      await expectLocked(page)
      await unlock(page)
      await expectUnlocked(other)
      await other.tab.open('about:blank')
    })

    it('has everything after a reload, locked', async () => {
      await page.tab.open(origin)
      await expectLocked(page)
      await unlock(page)
      await expectUnlocked(page)
      await visit(page, 'Grants')
      await page.sees(GRANTED)
    })

    it('writes a backup', async () => {
      backup = await writeBackup(page)
      expect(backup).not.toContain(LABEL)
    })

    it('revokes', async () => {
      await revoke(page)
    })

    it('says that the vault is missing when its database is gone, and restores it', async () => {
      await page.tab.open(`${origin}/typeface-licence.txt`)
      await page.tab.call(deleteDatabase.toString(), [`vault_${address}`])
      await page.tab.open(origin)
      await page.sees({ role: 'heading', name: 'Your vault is missing' })
      if (hasSecondCopy) {
        await page.press({ role: 'button', name: 'Restore it from the copy' })
        await expectLocked(page)
        await unlock(page)
      } else {
        await restore(page, backup, 'The missing vault')
      }
      await expectUnlocked(page)
      await visit(page, 'Grants')
      await page.sees(GRANTED)
    })

    it('restores the backup in a browser that has never seen the vault', async () => {
      await browser?.close()
      browser = await start?.()
      if (browser) page = new Page(await browser.tab())
      await page.tab.open(`${origin}/register?tab=restore`)
      await restore(page, backup, 'Restore from a backup')
      await page.sees({ role: 'text', name: /^Your vault is back, and open\./ })
      await expectUnlocked(page)
      await visit(page, 'Grants')
      await page.sees(GRANTED)
    })
  })
}
