import type { Page } from '@playwright/test'
import { expectAccessible } from '../../axe-rules.ts'
import { expect, test } from '../../fixtures.ts'
import { holdClient } from '../support/held-client.ts'

const HOLE = '[data-testid=hole]'

const scene = (page: Page) => page.getByRole('region', { name: 'How it works, to try here' })
const beat = (page: Page) => scene(page).locator('[aria-current=step]')
const sentence = (page: Page) => scene(page).locator('[aria-live=polite]')

test('the hole shows on an untouched landing page, before the client loads', async ({ page }) => {
  await page.route(/\/assets\/main[^/]*\.js$/, () => undefined)
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  await expect(page.locator(HOLE)).toHaveAttribute('data-drawn', 'true')
  // Its throat is behind the mark.
  const [mark, hole] = await Promise.all([
    page.locator('[data-hole-stage] ~ * [data-throat]').boundingBox(),
    page.locator(HOLE).boundingBox(),
  ])
  expect(mark).not.toBeNull()
  expect(hole?.width).toBe(page.viewportSize()?.width)
  await expect(page.getByRole('button', { name: 'Theme and language' })).toBeDisabled()
})

test('the hole keeps moving when the client takes over, and is behind later pages too', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator(HOLE)).toHaveAttribute('data-drawn', 'true')
  const canvas = await page.locator(`${HOLE} canvas[data-moving]`).elementHandle()
  await page.mouse.move(10, 10)
  await expect(page.getByRole('button', { name: 'Theme and language' })).toBeEnabled()
  const stage = page.locator('[data-hole-stage]')
  await expect(stage.locator(`${HOLE}[data-drawn=true]`)).toBeAttached()
  expect(await canvas?.evaluate((element) => element.isConnected)).toBe(true)
  await page.getByRole('link', { name: /^Try the demo/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Demo' })).toBeVisible()
  await expect(page.locator(`body > ${HOLE}[data-drawn=true]`)).toBeAttached()
  expect(await canvas?.evaluate((element) => element.isConnected)).toBe(true)
  await page.goBack()
  await expect(stage.locator(`${HOLE}[data-drawn=true]`)).toBeAttached()
})

test('the scene works with a mouse, and every step of it is accessible', async ({ page }) => {
  await page.goto('/')
  const play = scene(page)
  await play.getByRole('button', { name: 'Give it a grant instead' }).click()
  await expect(beat(page)).toContainText('You narrow it')
  await expect(sentence(page)).toContainText('read files, with no limits')
  await expectAccessible(page)
  await play.getByText('Lisbon', { exact: true }).click()
  await expect(sentence(page)).toContainText('“path” starts with “/photos/lisbon/”')
  await play.getByRole('button', { name: 'Sign grant' }).click()
  await expect(beat(page)).toContainText('It tries')
  await expect(play.getByRole('log')).toContainText('Refused: /taxes/2025.pdf is outside the folder.')
  await expectAccessible(page)
  await play.getByRole('button', { name: 'Revoke' }).click()
  await expect(play.getByRole('log')).toContainText('You revoked the grant.')
  await expectAccessible(page)
  await play.getByRole('link', { name: 'Create vault' }).click()
  await expect(page).toHaveURL(/\/register/)
})

test('the scene works by keyboard, starting from the page’s first link', async ({ page }) => {
  await page.goto('/')
  await page.keyboard.press('Tab')
  const focused = page.locator(':focus')
  const tabTo = async (name: string | RegExp) => {
    for (let stop = 0; stop < 30; stop += 1) {
      if (
        typeof name === 'string'
          ? (await focused.textContent()) === name
          : name.test((await focused.textContent()) ?? '')
      )
        return
      await page.keyboard.press('Tab')
    }
    throw new Error(`The focus never came to ${name}`)
  }
  await expect(page.getByRole('button', { name: 'Theme and language' })).toBeEnabled()
  await tabTo('Give it a grant instead')
  await page.keyboard.press('Enter')
  await expect(beat(page)).toContainText('You narrow it')
  // The focus has moved along: the next stop is the first choice.
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(sentence(page)).toContainText('/photos/lisbon/')
  await tabTo('Sign grant')
  await page.keyboard.press('Enter')
  await expect(scene(page).getByRole('log')).toContainText('Refused:')
  await tabTo('Revoke')
  await page.keyboard.press('Enter')
  await expect(scene(page).getByRole('log')).toContainText('You revoked the grant.')
  await tabTo('Play it again')
  await page.keyboard.press('Enter')
  await expect(beat(page)).toContainText('It asks')
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 760 } })

  test('the scene works by touch, and the page is no wider than the screen', async ({ page }) => {
    await page.goto('/')
    const play = scene(page)
    await play.getByRole('button', { name: 'Give it a grant instead' }).tap()
    await play.getByText('Lisbon', { exact: true }).tap()
    await play.getByRole('button', { name: 'Sign grant' }).tap()
    await play.getByRole('button', { name: /passwords\.txt/ }).tap()
    await expect(play.getByRole('log')).toContainText('Refused: /passwords.txt is outside the folder.')
    await play.getByRole('button', { name: 'Revoke' }).tap()
    await expect(play.getByRole('log')).toContainText('You revoked the grant.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
  })
})

test('a press on the scene before the client loads is not lost', async ({ page }) => {
  const release = await holdClient(page)
  await page.goto('/')
  await scene(page).getByRole('button', { name: 'Give it a grant instead' }).click({ force: true })
  release()
  await expect(beat(page)).toContainText('You narrow it')
})
