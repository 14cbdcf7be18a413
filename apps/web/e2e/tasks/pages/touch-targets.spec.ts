import { expect, test } from '../../fixtures.ts'
import { addContact, card, grant, openTab, STRANGER, visit } from '../support/person.ts'
import {
  LABEL,
  lookAtConnect,
  lookAtDialogs,
  lookAtMaking,
  PLACES,
  WITHOUT_VAULT,
} from '../support/states.ts'
import { smallTargets } from '../support/targets.ts'

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })

test('everything that can be pressed on a touch screen is at least 44 pixels each way', async ({ page }) => {
  test.setTimeout(300_000)
  const found: Record<string, string[]> = {}
  const look = async (what: string) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    found[what] = await page.evaluate(smallTargets)
  }
  for (const path of [...WITHOUT_VAULT, '/demo', '/demo?tab=attacks', '/demo?tab=app', '/demo?tab=shop']) {
    await page.goto(path)
    await expect(page.getByRole('banner').getByRole('button').first()).toBeEnabled()
    await look(`without a vault: ${path}`)
  }
  await lookAtMaking(page, look)
  await visit(page, 'Grants', 'Contacts')
  await addContact(page, 'Anna Berger', STRANGER)
  await look('a contact')
  await grant(page, { to: STRANGER, command: '/msg/send', label: LABEL })
  await look('signed')
  for (const [place, part] of PLACES) {
    await visit(page, place, part)
    await look([place, part].join(' '))
  }
  await visit(page, 'Grants')
  await openTab(page, 'Given')
  await page.getByRole('article', { name: LABEL }).getByRole('link', { name: 'Details' }).click()
  await expect(card(page, 'Where it came from')).toBeVisible()
  await look('a grant')
  await page.getByRole('button', { name: 'Revoke…' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  // Not `look`: a dialog hides the page's heading.
  found['to revoke it'] = await page.evaluate(smallTargets)
  await page.keyboard.press('Escape')
  await lookAtDialogs(page, async (what) => {
    found[what] = await page.evaluate(smallTargets)
  })
  await lookAtConnect(page, async (tab, what) => {
    found[what] = await tab.evaluate(smallTargets)
  })

  expect(Object.entries(found).filter(([, targets]) => targets.length > 0)).toEqual([])
})
