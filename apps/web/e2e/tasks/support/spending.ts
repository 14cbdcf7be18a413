import type { Page } from '@playwright/test'
import { card, visit } from './person.ts'

/** Fills in and signs a mandate from a template. */
export async function giveMandate(
  page: Page,
  template: string,
  fields: Record<string, string>,
): Promise<void> {
  await visit(page, 'Payments', 'New mandate')
  const form = card(page, 'New mandate')
  await form.getByRole('button', { name: template }).click()
  for (const [label, value] of Object.entries(fields))
    await form.getByLabel(label, { exact: true }).fill(value)
  await form.getByRole('button', { name: 'Sign the mandate' }).click()
}

/** Asks for a payment as the holder of a received mandate. @returns the request's text */
export async function askFor(holder: Page, amount: string, order: string): Promise<string> {
  const form = card(holder, 'Use it')
  await form.getByLabel('amount', { exact: true }).fill(amount)
  await form.getByLabel('order', { exact: true }).fill(order)
  await form.getByRole('button', { name: 'Sign the request' }).click()
  const signed = card(holder, 'Signed request')
  const text = (await signed.getByRole('region', { name: 'request' }).textContent()) ?? ''
  await signed.getByRole('button', { name: 'Another request' }).click()
  return text.trim()
}

/** Adds a mandate and starts to use it. */
export async function takeMandate(holder: Page, mandate: string): Promise<void> {
  await visit(holder, 'Grants', 'Received')
  await holder.getByLabel('Token', { exact: true }).fill(mandate)
  await holder.getByRole('button', { name: 'Check and add' }).click()
  await holder.getByRole('button', { name: 'Use it now' }).click()
}
