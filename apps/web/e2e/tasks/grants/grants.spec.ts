import { expect, test } from '../../fixtures.ts'
import { another, card, makeVault, STRANGER, tokenText, visit } from '../support/person.ts'

test('a capability is handed to a pasted DID, and anyone can check it', async ({ page, browser, guard }) => {
  await makeVault(page)
  await visit(page, 'Grants')
  const form = card(page, 'New grant')
  await form.getByRole('button', { name: 'Send email within your company' }).click()
  await form.getByLabel('Who', { exact: true }).fill(STRANGER)
  const preview = page.getByRole('region', { name: 'What you are about to sign' })
  await expect(preview).toContainText(
    /send messages, until .+, if “to” ends with “@example\.com”\.Other fields are not limited\./,
  )
  // The exact token is one fold away.
  const payload = form.getByRole('region', { name: 'payload' })
  await expect(payload).toBeHidden()
  await form.getByText('Exact token', { exact: true }).click()
  await expect(payload).toContainText(`"aud": "${STRANGER}"`)
  await form.getByRole('button', { name: 'Sign the grant' }).click()
  const token = await tokenText(card(page, 'Signed and stored'))
  await expect(card(page, 'Granted so far').getByText('send messages')).toBeVisible()

  const { page: verifier, context } = await another(browser, guard)
  await verifier.goto('/identity?tab=check')
  await verifier.getByLabel('Token', { exact: true }).fill(token)
  await expect(verifier.getByText('Valid.', { exact: true })).toBeVisible()
  await expect(card(verifier, 'What it says')).toContainText(
    /send messages, until .+, if “to” ends with “@example\.com”\.Other fields are not limited\./,
  )
  await context.close()
})
