// What a person goes through step by step, in a browser of its own for each language: making a vault, several devices, a vault that is
// restored, and one that is lost. A picture is taken at each step.
import { approve } from '../../apps/web/e2e/presses.js'

/** @typedef {import('@playwright/test').Page} Page */
/**
 * @typedef {object} Studio
 * @property {() => Promise<Page>} open a page of a new person, in the language of the pictures
 * @property {(english: string) => string} say a text as the page says it
 * @property {(page: Page, name: string, how?: {inSight?: true}) => Promise<void>} picture
 */

export const PASSPHRASE = 'violet anvil harbour thirty'
const FILE_PASSPHRASE = 'granite sparrow window forty'
const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

/** A vault is made, each step in its turn. @param {Studio} studio */
async function making({ open, say, picture }) {
  const page = await open()
  await page.goto('/register')
  await page.getByLabel(say('Name'), { exact: true }).fill(say('Personal'))
  await page.getByRole('button', { name: say('Continue'), exact: true }).click()
  await page.getByRole('radio').first().waitFor()
  await picture(page, 'make-passkey')
  await page.getByRole('radio').nth(1).check()
  await page.getByLabel(say('Passphrase'), { exact: true }).fill('letmein')
  await page.getByText(/./).first().waitFor()
  await picture(page, 'make-weak')
  await choosePassphrase(page, say)
  await picture(page, 'make-passphrase')
  await page
    .getByRole('button', { name: say('Create vault') })
    .last()
    .click()
  const code = page.getByLabel(say('Recovery code'), { exact: true })
  await code.waitFor()
  await picture(page, 'make-code')
  const text = (await code.textContent()) ?? ''
  await page.getByLabel(say('Paste it back')).fill('0000-0000')
  await page.getByRole('button', { name: say('I’ve saved it') }).click()
  await picture(page, 'make-code-wrong')
  await page.getByLabel(say('Paste it back')).fill(text)
  await page.getByRole('button', { name: say('I’ve saved it') }).click()
  await page.getByRole('button', { name: say('Create backup file') }).waitFor()
  await picture(page, 'make-backup')
  await page.getByRole('button', { name: say('Create backup file') }).click()
  await page.getByText(say('Look for the backup file in your downloads.')).waitFor()
  await picture(page, 'make-backup-saved')
  await page.getByRole('button', { name: say('Continue without checking') }).click()
  await page.getByRole('heading', { name: say('Your vault is ready') }).waitFor()
  await picture(page, 'make-done')
}

/** A vault on several devices, until one of them is removed, and opened again by its code alone. @param {Studio} studio */
async function devices({ open, say, picture }) {
  const [laptop, phone] = [await open(), await open()]
  await makeVault(laptop, say)
  await section(laptop, say, 'Devices')
  await picture(laptop, 'devices-none')
  await laptop.getByLabel(say('Name of this device')).fill('Laptop')
  await laptop.getByRole('button', { name: say('Use on several devices') }).click()
  await laptop.getByRole('dialog').getByLabel(say('Passphrase'), { exact: true }).waitFor()
  await picture(laptop, 'devices-proof', { inSight: true })
  await prove(laptop, say, 'Start')
  await laptop.getByText(/^(Your devices are in sync|Deine Geräte sind auf demselben Stand)/).waitFor()
  await picture(laptop, 'devices-one')

  await phone.goto('/register?tab=restore&from=device')
  await phone.getByRole('button', { name: say('Show a code') }).waitFor()
  await picture(phone, 'join-start')
  await phone.getByRole('button', { name: say('Show a code') }).click()
  const shown = phone.getByLabel(say('The code of this device'), { exact: true })
  await shown.waitFor()
  await picture(phone, 'join-code')
  await laptop.getByRole('button', { name: say('Add a device') }).click()
  const typed = laptop.getByLabel(say('The new device’s code'), { exact: true })
  await typed.waitFor()
  await picture(laptop, 'devices-add')
  await typed.fill((await shown.textContent()) ?? '')
  await laptop.keyboard.press('Enter')
  await Promise.all([laptop, phone].map((page) => page.getByText(/^\d \d \d \d \d \d$/).waitFor()))
  await picture(laptop, 'devices-digits')
  await picture(phone, 'join-digits')
  await phone.getByRole('button', { name: say('They are the same') }).click()
  await phone.getByText(say('Now confirm on the other device.')).waitFor()
  await picture(phone, 'join-waiting')
  await laptop.getByLabel(say('Name of the new device')).fill('Phone')
  await laptop.getByRole('button', { name: say('They are the same') }).click()
  await prove(laptop, say, 'Add the device')
  await phone.getByText(say('Your vault is on this device now.')).waitFor()
  await picture(phone, 'join-done')
  await laptop
    .getByRole('button', { name: /Phone$|^.*Phone/ })
    .first()
    .waitFor()
  await picture(laptop, 'devices-two')
  await laptop
    .getByRole('button', { name: say('Remove {name}').replace('{name}', 'Phone'), exact: true })
    .click()
  await laptop.getByRole('dialog').getByLabel(say('Passphrase'), { exact: true }).waitFor()
  await picture(laptop, 'devices-remove', { inSight: true })
  await prove(laptop, say, 'Remove the device')
  await phone.goto('/identity?tab=devices')
  await unlock(phone, say)
  await phone.getByRole('alert').first().waitFor()
  await picture(phone, 'devices-removed')

  await section(laptop, say, 'Unlocking')
  await laptop.getByRole('button', { name: say('Create a new one') }).click()
  await prove(laptop, say, 'Show the code')
  const code = laptop.getByLabel(say('Recovery code'), { exact: true })
  await code.waitFor()
  const text = (await code.textContent()) ?? ''
  await picture(laptop, 'devices-code')
  await laptop.getByLabel(say('Paste it back'), { exact: true }).fill(text)
  await laptop.getByRole('button', { name: say('I’ve saved it') }).click()
  await section(laptop, say, 'Devices')
  await picture(laptop, 'devices-recovery-card')

  const tablet = await open()
  await tablet.goto('/register?tab=restore&from=code')
  await tablet
    .getByLabel(say('Recovery code'), { exact: true })
    .first()
    .fill('0000-0000-0000-0000-0000-0000-000')
  await tablet.getByRole('button', { name: say('Open the vault') }).click()
  await tablet.getByRole('alert').first().waitFor()
  await picture(tablet, 'recover-wrong')
  await tablet.getByLabel(say('Recovery code'), { exact: true }).first().fill(text)
  await tablet.getByRole('button', { name: say('Open the vault') }).click()
  await tablet.getByText(say('Your vault is on this device now.')).waitFor()
  await picture(tablet, 'recover-done')
}

/** A vault of its own becomes a limited device of another one, is removed, and is an ordinary vault again. @param {Studio} studio */
async function limited({ open, say, picture }) {
  const [laptop, kiosk] = [await open(), await open()]
  for (const page of [laptop, kiosk]) {
    await makeVault(page, say)
    await section(page, say, 'Devices')
  }
  await laptop.getByLabel(say('Name of this device')).fill('Laptop')
  await laptop.getByRole('button', { name: say('Use on several devices') }).click()
  await prove(laptop, say, 'Start')
  await kiosk.getByRole('button', { name: say('Show a code for a limited device') }).click()
  await prove(kiosk, say, 'Show the code')
  const shown = kiosk.getByLabel(say('The code of this device'), { exact: true })
  await shown.waitFor()
  await picture(kiosk, 'limited-code')
  await laptop.getByRole('button', { name: say('Add a device') }).click()
  await laptop.getByRole('radio').nth(1).check()
  await picture(laptop, 'limited-add')
  await laptop
    .getByLabel(say('The new device’s code'), { exact: true })
    .fill((await shown.textContent()) ?? '')
  await laptop.keyboard.press('Enter')
  await Promise.all([laptop, kiosk].map((page) => page.getByText(/^\d \d \d \d \d \d$/).waitFor()))
  await kiosk.getByRole('button', { name: say('They are the same') }).click()
  await laptop.getByLabel(say('Name of the new device')).fill('Kitchen tablet')
  await laptop.getByRole('button', { name: say('They are the same') }).click()
  await laptop.getByRole('dialog').getByLabel(say('Passphrase'), { exact: true }).waitFor()
  await picture(laptop, 'limited-proof', { inSight: true })
  await prove(laptop, say, 'Add the device')
  await kiosk.getByText(say('This is a limited device of another vault.')).waitFor()
  await picture(kiosk, 'limited')
  const remove = laptop.getByRole('button', {
    name: say('Remove {name}').replace('{name}', 'Kitchen tablet'),
    exact: true,
  })
  await remove.waitFor()
  await picture(laptop, 'limited-listed')
  await remove.click()
  await laptop.getByRole('dialog').getByLabel(say('Passphrase'), { exact: true }).waitFor()
  await picture(laptop, 'limited-remove', { inSight: true })
  await prove(laptop, say, 'Remove the device')
  await kiosk.goto('/identity?tab=devices')
  await unlock(kiosk, say)
  await kiosk.getByText(say('This is no longer a limited device of the other vault.')).waitFor()
  await picture(kiosk, 'limited-removed')
  await kiosk.getByRole('button', { name: say('Stop being a limited device') }).click()
  await kiosk.getByRole('alertdialog').waitFor()
  await picture(kiosk, 'limited-stop', { inSight: true })
}

/** A vault that comes back from its backup file, and from the second copy. @param {Studio} studio */
async function restoring({ open, say, picture }) {
  const page = await open()
  await makeVault(page, say)
  await section(page, say, 'Backup and storage')
  await page.getByLabel(say('Passphrase of this vault')).fill(PASSPHRASE)
  await page.getByLabel(say('Passphrase for the file'), { exact: true }).fill(FILE_PASSPHRASE)
  await page.getByLabel(say('Confirm passphrase')).first().fill(FILE_PASSPHRASE)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: say('Create backup file') }).click()
  const file = await (await downloading).path()
  await page.getByText(say('Look for the backup file in your downloads.')).waitFor()
  await picture(page, 'backup-written')

  const other = await open()
  await other.goto('/register?tab=restore&from=file')
  await other.locator('button:enabled').first().waitFor()
  await other.locator('input[type=file]').first().setInputFiles(file)
  await other.getByLabel(say('Backup passphrase')).fill(FILE_PASSPHRASE)
  await choosePassphrase(other, say, 'Passphrase for this browser')
  await picture(other, 'restore-read')
  await other.getByRole('button', { name: say('Restore the vault') }).click()
  await other.getByRole('heading', { level: 1 }).first().waitFor()
  await other
    .getByRole('banner')
    .getByRole('button', { name: say('Lock'), exact: true })
    .waitFor()
  await picture(other, 'restore-done')

  // The database disappears without a word.
  const databases = await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name ?? ''),
  )
  await page.goto('/manifest.webmanifest')
  await page.evaluate(async (names) => {
    for (const name of names.filter((each) => each.startsWith('vault_')))
      await new Promise((resolve) => {
        const request = indexedDB.deleteDatabase(name)
        request.onsuccess = request.onerror = resolve
      })
  }, databases)
  await page.goto('/')
  await page.getByRole('button', { name: say('Restore it from the copy') }).waitFor()
  await picture(page, 'lost')
  await page
    .getByRole('button', { name: say('Restore from a backup') })
    .first()
    .click()
  await picture(page, 'lost-from-backup')
  await page.getByRole('button', { name: say('Restore it from the copy') }).click()
  await page
    .getByRole('banner')
    .getByRole('button', { name: say('Unlock'), exact: true })
    .waitFor()
  await picture(page, 'lost-restored')
}

/** What an agent asks for, granted and declined, and its payment. @param {Studio} studio */
async function answering({ open, say, picture }) {
  const page = await open()
  await makeVault(page, say)
  const request = (/** @type {object} */ asked) =>
    `/connect#keyhole-request-1.${Buffer.from(JSON.stringify(asked)).toString('base64url')}`
  const capability = { kind: 'capability', command: '/msg/send', audience: STRANGER }
  const limits = {
    policy: [['==', '.to', 'bob@example.com']],
    expiresIn: 604_800,
    reason: 'To send the minutes.',
  }
  for (const [name, asked] of /** @type {const} */ ([
    ['connect-granted', { ...capability, ...limits }],
    ['connect-unlimited', { ...capability, policy: [], expiresIn: 86_400, reason: 'To send the minutes.' }],
    [
      'connect-reading',
      { ...capability, ...limits, command: '/notes/read', policy: [['like', '.path', '/work/*']] },
    ],
  ])) {
    const tab = await page.context().newPage()
    await tab.goto(request(asked))
    const grant = tab.getByRole('button', { name: say('Grant it') })
    await grant.waitFor()
    if (name === 'connect-granted') {
      await approve(grant)
      await tab.getByRole('heading', { name: say('Granted') }).waitFor()
    }
    await picture(tab, name)
    if (name !== 'connect-reading') {
      await tab.close()
      continue
    }
    await tab.getByRole('button', { name: say('Decline') }).click()
    await tab.getByRole('heading', { name: say('Declined') }).waitFor()
    await picture(tab, 'connect-declined')
    await tab.close()
  }
}

export const STORIES = { making, devices, limited, restoring, answering }

/** @param {Page} page @param {Studio['say']} say */
async function makeVault(page, say) {
  await page.goto('/register')
  await page.getByLabel(say('Name'), { exact: true }).fill(say('Personal'))
  await page.getByRole('button', { name: say('Continue'), exact: true }).click()
  await page.getByRole('radio').nth(1).check()
  await choosePassphrase(page, say)
  await page
    .getByRole('button', { name: say('Create vault') })
    .last()
    .click()
  await page.getByRole('button', { name: say('Skip for now') }).click()
  await page.getByRole('heading', { name: say('Your vault is ready') }).waitFor()
}

/** @param {Page} page @param {Studio['say']} say @param {string} [label] */
async function choosePassphrase(page, say, label = 'Passphrase') {
  await page.getByLabel(say(label), { exact: true }).fill(PASSPHRASE)
  await page.getByLabel(say('Confirm passphrase')).fill(PASSPHRASE)
  await page.getByText(/^(Strong|Very strong|Stark|Sehr stark)\./).waitFor()
}

/** @param {Page} page @param {Studio['say']} say @param {string} action */
async function prove(page, say, action) {
  const dialog = page
    .getByRole('dialog')
    .filter({ has: page.getByRole('button', { name: say(action), exact: true }) })
  await dialog.getByLabel(say('Passphrase'), { exact: true }).fill(PASSPHRASE)
  await dialog.getByRole('button', { name: say(action), exact: true }).click()
}

/** @param {Page} page @param {Studio['say']} say */
async function unlock(page, say) {
  await page
    .getByRole('banner')
    .getByRole('button', { name: say('Unlock'), exact: true })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('Passphrase'), { exact: true }).fill(PASSPHRASE)
  await dialog.getByRole('button', { name: say('Unlock'), exact: true }).click()
  await page
    .getByRole('banner')
    .getByRole('button', { name: say('Lock'), exact: true })
    .waitFor()
}

/** Opens a section of the settings, without loading the page again. @param {Page} page @param {Studio['say']} say @param {string} name */
async function section(page, say, name) {
  for (const place of ['Home', 'Settings'])
    await page
      .getByRole('navigation', { name: say('Pages'), exact: true })
      .getByRole('link', { name: say(place), exact: true })
      .filter({ visible: true })
      .click()
  await page.getByRole('button', { name: say(name), exact: true }).click()
}
