import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openVault } from '../../../test/open-vault.tsx'
import { press } from '../../../test/person.ts'
import { DialogEnd } from '../dialogs/dialog-end.tsx'
import { Form } from '../layout/form.tsx'
import { Dialog } from './dialog.tsx'

const { show } = openVault()

test('a form in a dialog ends with the way out and the button that hands it in', async () => {
  const [change, submit] = [vi.fn(), vi.fn()]
  show(
    <Dialog open onOpenChange={change} title="Name">
      <Form onSubmit={submit}>
        <DialogEnd action={{ pending: false }}>Save</DialogEnd>
      </Form>
    </Dialog>,
  )
  const dialog = await screen.findByRole('dialog', { name: 'Name' })
  const buttons = within(dialog)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
  expect(buttons.slice(-2)).toEqual(['Cancel', 'Save'])
  await press('Save', dialog)
  expect(submit).toHaveBeenCalledOnce()
  expect(change).not.toHaveBeenCalled()
  await press('Cancel', dialog)
  expect(submit).toHaveBeenCalledOnce()
  expect(change).toHaveBeenCalledWith(false)
})
