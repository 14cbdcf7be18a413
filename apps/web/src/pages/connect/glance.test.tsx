import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LimitList } from '../../shared/grant-words/limit-list.tsx'
import { policyLimits } from '../../shared/grant-words/limits.ts'
import { EXAMPLE } from '../../test/capability-request.ts'
import { fill, limitList } from './glance.ts'
import { RequestTemplate } from './request-template.tsx'

test.each([1, 5, 20])('%i levels of limits look as React draws them', (levels) => {
  let statement: unknown = ['not', ['like', '.deepest', '*end*']]
  for (let level = levels; level > 0; level -= 1)
    statement = [level % 2 ? 'or' : 'and', [['==', `.f${level}`, level], statement]]
  const { limits } = policyLimits('/msg/send', [statement])
  const { container } = render(<LimitList limits={limits} />)
  expect(limitList(limits).outerHTML).toBe(container.innerHTML)
})

test.each([
  [false, 'You let Unknown key (…2doK)'],
  [true, 'You let Key (…2doK)'],
])(
  'before the vault can say so, a key is only unknown where none can know it (locked: %s)',
  (isLocked, words) => {
    const { container } = render(
      <I18nProvider i18n={i18n}>
        <RequestTemplate />
      </I18nProvider>,
    )
    const view = document.createDocumentFragment()
    view.append(...container.childNodes)
    fill(view, 'https://app.example', { ...EXAMPLE, kind: 'capability' }, isLocked)
    expect(view.querySelector('[data-slot=sentence]')?.textContent).toContain(words)
    expect(view.textContent?.includes('Unlock the vault to grant it.')).toBe(isLocked)
  },
)
