import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

export const OTHER_PASSPHRASE = 'copper lantern meadow eleven'
export const FILE_PASSPHRASE = 'granite sparrow window forty'

type Name = string | RegExp
/** A part of the page: an element, or the card under a heading, looked for anew each time. */
export type Scope = HTMLElement | string

/** Looks in a part of the page, or in all of it. */
export function inside(scope: Scope = document.body) {
  return within(typeof scope === 'string' ? cardNow(scope) : scope)
}

function cardNow(heading: Name): HTMLElement {
  const found = screen.getByRole('heading', { name: heading }).closest('section')
  return found ?? expect.fail(`The heading ${heading} is in no card.`)
}

/** The card under a heading, once it is there. */
export const card = (heading: Name): Promise<HTMLElement> => waitFor(() => cardNow(heading))

/** Puts a text into a field, once it is there, as a paste does. */
export async function fill(label: Name, value: string, scope?: Scope): Promise<void> {
  const field = await waitFor(() => inside(scope).getByLabelText(label))
  fireEvent.change(field, { target: { value } })
}

/** Presses a button, once it can be pressed. */
export async function press(name: Name, scope?: Scope): Promise<void> {
  const button = await waitFor(() => {
    const found = inside(scope).getByRole<HTMLButtonElement>('button', { name })
    if (found.disabled) throw new Error(`The button ${name} cannot be pressed.`)
    return found
  })
  fireEvent.click(button)
}

/** Waits until a text is in a part of the page. */
export const sees = (text: Name, scope?: Scope) => waitFor(() => inside(scope).getByText(text))

/** Chooses one of a list that opens. */
export async function choose(label: Name, option: Name, scope?: Scope): Promise<void> {
  const user = userEvent.setup({ delay: null })
  await user.click(await waitFor(() => inside(scope).getByLabelText(label)))
  const named = (name: string) => (typeof option === 'string' ? name.includes(option) : option.test(name))
  await user.click(await screen.findByRole('option', { name: named }))
}

/** Goes to a tab of the page. */
export async function openTab(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('tab', { name }))
  await screen.findByRole('tabpanel', { name })
}

/** Chooses a file. */
export function chooseFile(scope: HTMLElement, name: string, content: BlobPart): void {
  const field = scope.querySelector('input[type=file]') ?? expect.fail('There is no field for a file.')
  fireEvent.change(field, { target: { files: [new File([content], name)] } })
}

/** Types a new passphrase twice, and waits until it is judged to be strong enough. */
export async function choosePassphrase(label: Name, passphrase: string, scope?: Scope): Promise<void> {
  await fill(label, passphrase, scope)
  await fill('The same again', passphrase, scope)
  await sees(/^(Strong|Very strong)\./, scope)
}

/** The header of every page. */
export const header = () => document.querySelector('header') ?? expect.fail('There is no header.')

/** Locks by the header's button, and waits until it is said. */
export async function lockByHand(): Promise<void> {
  await press('Lock', header())
  await within(header()).findByRole('button', { name: 'Unlock' })
}

/** Opens the dialog that unlocks. */
export async function openUnlockDialog(): Promise<HTMLElement> {
  await press('Unlock', header())
  return await screen.findByRole('dialog', { name: /^Unlock / })
}

/** Waits until the header says that the vault is open, and nothing lies over it. */
export async function expectUnlocked(): Promise<void> {
  await waitFor(() => within(header()).getByRole('button', { name: 'Lock' }))
}

/** Confirms what cannot be undone: types what the dialog asks for, and presses its button. */
export async function confirm(action: Name): Promise<void> {
  const dialog = await screen.findByRole('alertdialog')
  const asked = dialog.querySelector('label strong')?.textContent
  await fill(/to confirm/, asked ?? expect.fail('The dialog asks for nothing to be typed.'), dialog)
  await press(action, dialog)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
}
