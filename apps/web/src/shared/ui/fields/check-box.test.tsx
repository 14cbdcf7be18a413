import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CheckBox } from './check-box.tsx'

afterEach(cleanup)

test('the whole line ticks the box, which has a mark only while it is ticked', () => {
  const change = vi.fn()
  const line = (checked: boolean) => (
    <CheckBox label="Remind me" hint="Once." checked={checked} onCheckedChange={change} />
  )
  const { rerender, container } = render(line(false))
  expect(container.querySelector('svg')).toBeNull()
  fireEvent.click(screen.getByText('Once.'))
  expect(change).toHaveBeenLastCalledWith(true)
  rerender(line(true))
  expect(screen.getByRole('checkbox', { name: 'Remind me Once.' })).toHaveProperty('checked', true)
  expect(container.querySelector('svg')).not.toBeNull()
})

test('a disabled one takes no press', () => {
  const change = vi.fn()
  render(<CheckBox label="Remind me" checked={false} onCheckedChange={change} disabled />)
  fireEvent.click(screen.getByText('Remind me'))
  expect(change).not.toHaveBeenCalled()
})
