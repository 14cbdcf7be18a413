// A request as text whose answer goes back automatically: to a mailbox on the vault's relay, or to a program on this computer.
import { createHolder, memoryStore, type ReplyWay } from '@keyhole/holder'
import { loopback } from '@keyhole/holder/loopback'
import { mailbox } from '@keyhole/holder/mailbox'
import type { Page } from '@playwright/test'
import { expect, test } from '../../fixtures.ts'
import { approve } from '../../presses.js'
import { makeVault } from '../support/person.ts'

const REQUEST = {
  command: '/mcp/tools/call',
  policy: [['==', '.name', 'read_text_file']],
  reason: 'To read your notes',
  name: 'Notes agent',
}

async function ask(page: Page, vault: string, reply?: ReplyWay) {
  const holder = createHolder({ store: memoryStore() })
  const asked = await holder.ask({ vault, ...REQUEST, ...(reply && { reply }) })
  const tab = await page.context().newPage()
  await tab.goto(asked.link)
  await expect(tab.getByTestId('short-code')).toHaveText(asked.code)
  await expect(tab.getByText('Notes agent')).toBeVisible()
  return { holder, asked, tab }
}

const grantIt = async (tab: Page) => {
  await approve(tab.getByRole('button', { name: 'Grant it' }))
  await expect(tab.getByText('Granted', { exact: true })).toBeVisible()
}

test('to the mailbox it names: yes, no, and only once', async ({ page, baseURL }) => {
  const vault = new URL(baseURL ?? '').origin
  const { did } = await makeVault(page)
  const byMailbox = () => mailbox({ relay: `${vault}/relay` })

  await test.step('yes', async () => {
    const { holder, asked, tab } = await ask(page, vault, byMailbox())
    await expect(tab.getByText(`goes encrypted to a mailbox at ${vault}`)).toBeVisible()
    await grantIt(tab)
    await expect(tab.getByText('Answer sent')).toBeVisible()
    expect(await asked.answer).toMatchObject({ command: REQUEST.command, subject: did })
    expect(await holder.grants()).toHaveLength(1)
  })

  await test.step('no', async () => {
    const { asked, tab } = await ask(page, vault, byMailbox())
    await tab.getByRole('button', { name: 'Decline' }).click()
    await expect(tab.getByText('Answer sent')).toBeVisible()
    await expect(asked.answer).rejects.toMatchObject({ code: 'Declined' })
  })

  await test.step('a mailbox that someone else has filled takes no second answer, which you can pass on yourself', async () => {
    const { asked, tab } = await ask(page, vault, byMailbox())
    const text = Buffer.from(new URL(asked.link).hash.split('.')[1] ?? '', 'base64url').toString()
    await fetch(`${vault}/relay/mailboxes/message`, {
      method: 'POST',
      body: JSON.stringify({ mailbox: JSON.parse(text).reply.mailbox, message: 'AAAA' }),
    })
    await grantIt(tab)
    await expect(tab.getByText('Someone else who has seen the request filled its mailbox')).toBeVisible()
    await expect(asked.answer).rejects.toMatchObject({ code: 'InvalidAnswer' })
    await tab.getByText('If it doesn’t arrive, hand over this text').click()
    const token = await tab.getByRole('region', { name: 'token' }).textContent()
    expect(await asked.accept(token ?? '')).toMatchObject({ command: REQUEST.command })
  })

  await test.step('the vault doesn’t contact addresses it may not connect to', async () => {
    const elsewhere: ReplyWay = async () => ({
      reply: { relay: 'https://relay.example/relay', mailbox: did, key: 'A'.repeat(43) },
      receive: () => new Promise(() => {}),
    })
    const { tab } = await ask(page, vault, elsewhere)
    await expect(tab.getByText('The answer is expected at https://relay.example.')).toBeVisible()
    await grantIt(tab)
    await expect(tab.getByText('Your vault only sends to its own relay.')).toBeVisible()
  })
})

test('to a program on this computer: the window goes there', async ({ page, baseURL, guard }) => {
  const vault = new URL(baseURL ?? '').origin
  const { did } = await makeVault(page)
  const reply: ReplyWay = async (signal) => {
    const way = await loopback()(signal)
    guard.counterpart(new URL('loopback' in way.reply ? way.reply.loopback : '').origin)
    return way
  }
  for (const isGranted of [true, false]) {
    const { asked, tab } = await ask(page, vault, reply)
    await expect(
      tab.getByText(/goes to a program on this computer \(http:\/\/127\.0\.0\.1:\d+\)/),
    ).toBeVisible()
    const done = tab.getByText('Done. You can close this window.')
    const grant = tab.getByRole('button', { name: 'Grant it' })
    if (isGranted) await approve(grant)
    else await tab.getByRole('button', { name: 'Decline' }).click()
    await expect(done).toBeVisible()
    expect(new URL(tab.url()).hash).toBe('')
    if (isGranted) expect(await asked.answer).toMatchObject({ subject: did })
    else await expect(asked.answer).rejects.toMatchObject({ code: 'Declined' })
  }
})
