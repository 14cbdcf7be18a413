import { render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { InSight } from './in-sight.tsx'

test('what appears scrolls into sight once, and goes without a fault where scrolling returns a promise', () => {
  const { scrollIntoView } = Element.prototype
  onTestFinished(() => {
    Element.prototype.scrollIntoView = scrollIntoView
  })
  const scroll = vi.fn(() => Promise.resolve())
  Reflect.set(Element.prototype, 'scrollIntoView', scroll)
  const { unmount } = render(<InSight>It failed.</InSight>)
  expect(screen.getByText('It failed.')).toBeDefined()
  expect(scroll).toHaveBeenCalledOnce()
  expect(unmount).not.toThrow()
})
