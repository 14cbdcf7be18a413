// Two profiles of Chromium on one vault, over relays on a NATS cluster: offline on either side, and with a browser, a relay and the NATS server
// that leads killed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { natsServer } from '../../../../../scripts/cluster/nats-server.mjs'
import { type Sites, startRelays } from '../../../../../scripts/cluster/sites.mjs'
import { pair } from '../../pair.js'
import { startDevices } from '../../tasks/support/devices.ts'
import { addContact, grant, makeVault, prove, STRANGER, unlock, visit } from '../../tasks/support/person.ts'
import { expect as expectNow, Profile, test } from '../fixtures.ts'

const program = natsServer()
test.skip(program === undefined, 'There is no nats-server.')
test.describe.configure({ timeout: 600_000 })

/** A device that could not reach its relay asks again after up to a minute. */
const expect = expectNow.configure({ timeout: 120_000 })

/** The guard of other tests looks at the console; here the network fails on purpose. */
const GUARD = { allow: () => undefined }

let folder = ''
let sites: Sites
const profiles: Profile[] = []
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyhole-two-devices-'))
  sites = await startRelays(program ?? '', folder, 2)
})
test.afterAll(async () => {
  for (const profile of profiles) await profile.remove()
  await sites?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A browser whose profile stays. Each is in a network of its own, because a relay lets one do only so much. */
async function start(profile: Profile, network: number): Promise<Page> {
  const page = await profile.start()
  page.setDefaultTimeout(120_000)
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': `192.0.2.${network}` })
  return page
}

/** A vault on a laptop and on a phone. */
async function laptopAndPhone(): Promise<[Profile, Page, Profile, Page]> {
  const [laptop, phone] = [new Profile(), new Profile()]
  profiles.push(laptop, phone)
  const [here, there] = [await start(laptop, 1), await start(phone, 2)]
  await makeVault(here, { name: 'Ada', at: sites.url.slice(0, -1) })
  await grant(here, { to: STRANGER, command: '/msg/send', label: 'Holiday mails' })
  await startDevices(here, GUARD, 'Laptop')
  await there.goto(`${sites.url}register?tab=restore&from=device`)
  await pair(here, there)
  await there.getByRole('button', { name: 'They are the same' }).click()
  await here.getByLabel('Name of the new device').fill('Phone')
  await here.getByRole('button', { name: 'They are the same' }).click()
  await prove(here, 'Add the device')
  await expect(there.getByText('Your vault is on this device now.')).toBeVisible()
  return [laptop, here, phone, there]
}

async function has(page: Page, ...grants: readonly string[]): Promise<void> {
  await visit(page, 'Home')
  await visit(page, 'Grants')
  for (const label of grants) await expect(page.getByText(label).first()).toBeVisible()
}

async function knows(page: Page, ...names: readonly string[]): Promise<void> {
  await visit(page, 'Grants', 'Contacts')
  for (const name of names) await expect(page.getByRole('list', { name: 'Contacts' })).toContainText(name)
}

test('what is done on either one is on both, offline on either side, and whatever is killed', async () => {
  const [laptop, first, , there] = await laptopAndPhone()
  let here = first
  await has(there, 'Holiday mails')

  // Both are offline.
  await here.context().setOffline(true)
  await there.context().setOffline(true)
  await grant(here, { to: STRANGER, command: '/msg/read', label: 'Written offline on the laptop' })
  await grant(there, { to: STRANGER, command: '/crud/read', label: 'Written offline on the phone' })
  await visit(there, 'Grants', 'Contacts')
  await addContact(there, 'Ben Offline', STRANGER)
  await visit(there, 'Home')
  const mails = there.getByRole('listitem').filter({ hasText: 'Holiday mails' })
  await mails.getByRole('button', { name: 'Revoke…' }).first().click()
  await there.getByRole('alertdialog').getByRole('button', { name: 'Revoke it for good' }).click()
  await expect(there.getByRole('alertdialog')).toHaveCount(0)

  // The laptop's browser is killed, and so is a relay, before anything was sent.
  await laptop.kill()
  await sites.kill('relay 0')
  here = await start(laptop, 3)
  await here.goto(`${sites.url}identity?tab=grants`)
  await unlock(here)
  await there.context().setOffline(false)
  await has(there, 'Written offline on the laptop', 'Written offline on the phone')
  await has(here, 'Written offline on the laptop', 'Written offline on the phone')
  await knows(here, 'Ben Offline')
  // It was revoked on the phone.
  await visit(here, 'Home')
  await expect(here.getByText('Holiday mails')).toHaveCount(0)

  // The NATS server that leads is killed while both write.
  await sites.startRelay(0)
  const leader = await sites.leader()
  await sites.kill(`nats ${leader}`)
  await grant(here, { to: STRANGER, command: '/msg/send', label: 'While the leader was dead' })
  await visit(there, 'Grants', 'Contacts')
  await addContact(there, 'Cora After', 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp')
  await has(there, 'While the leader was dead')
  await knows(here, 'Ben Offline', 'Cora After')
  await sites.startNode(leader)

  // Both are in step, and say so.
  for (const page of [here, there]) {
    await visit(page, 'Settings', 'Devices')
    await expect(page.getByText('Your devices are in sync.')).toBeVisible()
    await expect(page.getByText('Everything has been sent.')).toBeVisible()
  }
})
