import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { clearDraft } from '../../shared/hooks/drafts.ts'
import { openVault, STRANGER } from '../../test/open-vault.tsx'
import { GrantForm } from './grant-form.tsx'

const { vault, show } = openVault()
afterEach(async () => {
  clearDraft('grant')
  for (const { id } of await vault().templates.list()) await vault().templates.remove(id)
})

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value
const yours = () => screen.findByRole('group', { name: 'Yours' })
const dialog = (name: string) => screen.findByRole('dialog', { name })

/** Fills in the form and saves its answers under the grant's own name. */
async function saveMail(): Promise<void> {
  press('Send email within your company')
  type('Who', STRANGER)
  type('Your name for it', 'Weekly mail')
  press('Save as a template')
  const asked = within(await dialog('Save as a template'))
  expect(asked.getByLabelText('Name')).toHaveProperty('value', 'Weekly mail')
  fireEvent.submit(asked.getByLabelText('Name').closest('form') ?? asked.getByLabelText('Name'))
  await yours()
}

test('what the form says is saved but for who it is for, comes first, and fills in the next form', async () => {
  show(<GrantForm />)
  expect(screen.getByRole('button', { name: 'Save as a template' })).toHaveProperty('disabled', true)
  await saveMail()
  // Saving hands in the dialog's form, not the one around it, which would sign.
  expect(await vault().tokens.list()).toEqual([])
  const [saved] = await vault().templates.list()
  expect(saved).toMatchObject({
    ...{ name: 'Weekly mail', command: '/msg/send', lifetime: 86_400 },
  })
  expect(JSON.parse(saved?.policy ?? '')).toEqual([['like', '.to', '*@example.com']])
  expect(JSON.stringify(saved)).not.toContain(STRANGER)
  const groups = screen.getAllByRole('group').map((each) => each.getAttribute('aria-label'))
  expect(groups.indexOf('Yours')).toBeLessThan(groups.indexOf('For an agent or an app'))

  type('What they can do', '/build/run')
  type('Who', '')
  press('Weekly mail')
  expect(value('What they can do')).toBe('/msg/send')
  expect(value('Limit 1: value')).toBe('*@example.com')
  expect(value('Who')).toBe('')
})

test('a vault that is open from its second copy says why nothing is saved', () => {
  const snapshot = { ...vault().getSnapshot(), fromCopy: true as const }
  const seen = vi.spyOn(vault(), 'getSnapshot').mockReturnValue(snapshot)
  show(<GrantForm />)
  expect(screen.getByText('You can’t change a vault that is open from its second copy.')).toBeDefined()
  seen.mockRestore()
})

test('limits that were written as text come back whole', async () => {
  const policy = '[["all",".to",["or",[["==",".",1],["not",["like",".","*@x"]]]]]]'
  await vault().templates.save({ name: 'Odd', command: '/msg/send', policy, lifetime: 1234 })
  show(<GrantForm />)
  fireEvent.click(within(await yours()).getByRole('button', { name: 'Odd' }))
  type('Your name for it', 'Odd again')
  press('Save as a template')
  const asked = within(await dialog('Save as a template'))
  fireEvent.submit(asked.getByLabelText('Name').closest('form') ?? asked.getByLabelText('Name'))
  await waitFor(async () => expect(await vault().templates.list()).toHaveLength(2))
  const [first, second] = await vault().templates.list()
  expect(JSON.parse(second?.policy ?? '')).toEqual(JSON.parse(first?.policy ?? ''))
  // A date has no seconds.
  expect(Math.abs((second?.lifetime ?? 0) - 1234)).toBeLessThanOrEqual(60)
})

test('a template is renamed and deleted', async () => {
  show(<GrantForm />)
  await saveMail()
  press('Edit templates')
  const edit = within(await dialog('Your templates'))
  fireEvent.change(edit.getByLabelText('Name'), { target: { value: 'Monday mail' } })
  fireEvent.click(edit.getByRole('button', { name: 'Rename Weekly mail' }))
  await waitFor(async () => expect((await vault().templates.list())[0]?.name).toBe('Monday mail'))
  fireEvent.click(await edit.findByRole('button', { name: 'Delete Monday mail' }))
  await waitFor(async () => expect(await vault().templates.list()).toEqual([]))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Your templates' })).toBeNull())
  expect(screen.queryByRole('group', { name: 'Yours' })).toBeNull()
})
