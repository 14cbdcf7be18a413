import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { TextField } from '../fields/text-field.tsx'
import { Form, FormEnd } from './form.tsx'

afterEach(cleanup)

const IDLE: { pending: boolean; error: unknown } = { pending: false, error: undefined }

interface FieldsProps {
  onSubmit: () => void
  action?: typeof IDLE
  why?: string
  needed?: readonly string[]
}

function Fields({ onSubmit, action = IDLE, why, needed }: FieldsProps) {
  const [strict, setStrict] = useState(false)
  const [name, setName] = useState('')
  const submit = () => {
    setStrict(true)
    onSubmit()
  }
  return (
    <I18nProvider i18n={i18n}>
      <Form onSubmit={submit}>
        <TextField label="Anything" value="" onValueChange={() => {}} />
        <TextField
          label="Name"
          value={name}
          onValueChange={setName}
          error={strict && name === '' ? 'Say its name.' : undefined}
        />
        <FormEnd action={action} why={why} needed={needed ?? []}>
          Save
        </FormEnd>
      </Form>
    </I18nProvider>
  )
}

test('a press hands the fields in, and leads to the first that is wrong', async () => {
  const submit = vi.fn()
  render(<Fields onSubmit={submit} />)
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(submit).toHaveBeenCalledOnce()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')))
  expect(screen.getByRole('alert').textContent).toBe('Say its name.')
})

test('a form that isn’t filled in names the fields beside its button, which looks less ready and still leads to the first', async () => {
  const { rerender } = render(<Fields onSubmit={() => {}} needed={['Name', 'Who']} />)
  const description = 'Missing or wrong: Name, Who'
  const button = screen.getByRole('button', { name: 'Save', description })
  const look = button.className
  fireEvent.click(button)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')))
  rerender(<Fields onSubmit={() => {}} needed={[]} />)
  expect(screen.queryByText(/^Missing or wrong/)).toBeNull()
  expect(button.className).not.toBe(look)
})

test('while it is under way the button is busy and takes no press; what it was refused with stands above it', () => {
  const submit = vi.fn()
  const { rerender } = render(<Fields onSubmit={submit} action={{ ...IDLE, pending: true }} />)
  const button = screen.getByRole('button', { name: 'Save' })
  expect(button.getAttribute('aria-busy')).toBe('true')
  fireEvent.click(button)
  expect(submit).not.toHaveBeenCalled()
  rerender(<Fields onSubmit={submit} action={{ pending: false, error: new Error('refused') }} />)
  expect(screen.getByRole('alert').compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('a form that can’t be handed in says why before the press: the button is reached, and neither it nor Enter hands anything in', async () => {
  const submit = vi.fn()
  const user = userEvent.setup({ delay: null })
  render(<Fields onSubmit={submit} why="Nothing can be changed." />)
  expect(screen.getByText('Nothing can be changed.')).toBeDefined()
  const button = screen.getByRole('button', { name: 'Save', description: 'Nothing can be changed.' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await user.type(screen.getByLabelText('Name'), 'Anna{Enter}')
  await user.tab()
  expect(document.activeElement).toBe(button)
  await user.keyboard('{Enter} ')
  await user.click(button)
  expect(submit).not.toHaveBeenCalled()
})
