import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

export const OTHER_PASSPHRASE = 'copper lantern meadow eleven'
export const FILE_PASSPHRASE = 'granite sparrow window forty'

type Name = string | RegExp
/** A part of the page: an element, or the heading of a card that is looked up each time. */
export type Scope = HTMLElement | string

/** Looks in a part of the page, or in all of it. */
export function inside(scope: Scope = document.body) {
  return within(typeof scope === 'string' ? cardNow(scope) : scope)
}

function cardNow(heading: Name): HTMLElement {
  const found = screen.getByRole('heading', { name: heading }).closest('section')
  return found ?? expect.fail(`The heading ${heading} is in no card.`)
}

/** The card with this heading, once it is there. */
export const card = (heading: Name): Promise<HTMLElement> => waitFor(() => cardNow(heading))

/** Puts a text into a field, once it is there, as pasting does. */
export async function fill(label: Name, value: string, scope?: Scope): Promise<void> {
  const field = await waitFor(() => inside(scope).getByLabelText(label))
  fireEvent.change(field, { target: { value } })
}

/** Presses a button, once it is enabled. */
export async function press(name: Name, scope?: Scope): Promise<void> {
  const button = await waitFor(() => {
    const found = inside(scope).getByRole<HTMLButtonElement>('button', { name })
    if (found.disabled || found.getAttribute('aria-disabled') === 'true')
      throw new Error(`The button ${name} cannot be pressed.`)
    return found
  })
  fireEvent.click(button)
}

/** Waits until a text is in a part of the page. */
export const sees = (text: Name, scope?: Scope) => waitFor(() => inside(scope).getByText(text))

/** Chooses an option in a list that opens. */
export async function choose(label: Name, option: Name, scope?: Scope): Promise<void> {
  const user = userEvent.setup({ delay: null })
  await user.click(await waitFor(() => inside(scope).getByLabelText(label)))
  const named = (name: string) => (typeof option === 'string' ? name.includes(option) : option.test(name))
  await user.click(await screen.findByRole('option', { name: named }))
}

/** Opens a tab of the page. */
export async function openTab(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('tab', { name }))
  await screen.findByRole('tabpanel', { name })
}

/** Goes to a place through the link that every page has. */
export function visit(name: string): void {
  fireEvent.click(screen.getAllByRole('link', { name })[0] ?? expect.fail(`No link leads to ${name}.`))
}

/** Opens a section of the settings. */
export async function openSection(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name }))
  await screen.findByRole('button', { name, expanded: true })
}

/** Chooses a file. */
export function chooseFile(scope: HTMLElement, name: string, content: BlobPart): void {
  const field = scope.querySelector('input[type=file]') ?? expect.fail('There is no field for a file.')
  fireEvent.change(field, { target: { files: [new File([content], name)] } })
}

/** Types a new passphrase twice and waits until it is rated strong enough. */
export async function choosePassphrase(label: Name, passphrase: string, scope?: Scope): Promise<void> {
  await fill(label, passphrase, scope)
  await fill('Confirm passphrase', passphrase, scope)
  await sees(/^(Strong|Very strong)\./, scope)
}

/** The header of every page. */
export const header = () => document.querySelector('header') ?? expect.fail('There is no header.')

/** Locks with the header's button, and waits for the message. */
export async function lockByHand(): Promise<void> {
  await press('Lock', header())
  await within(header()).findByRole('button', { name: 'Unlock' })
}

/** Opens the unlock dialog. */
export async function openUnlockDialog(): Promise<HTMLElement> {
  await press('Unlock', header())
  return await screen.findByRole('dialog', { name: /^Unlock / })
}

/** Waits until the header says that the vault is open, and no dialog covers it. */
export async function expectUnlocked(): Promise<void> {
  await waitFor(() => within(header()).getByRole('button', { name: 'Lock' }))
}

/** Confirms an irreversible action: types what the dialog asks for, and presses its button. */
export async function confirm(action: Name): Promise<void> {
  const dialog = await screen.findByRole('alertdialog')
  const asked = dialog.querySelector('label strong')?.textContent
  await fill(/to confirm/, asked ?? expect.fail('The dialog asks for nothing to be typed.'), dialog)
  await press(action, dialog)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
}
