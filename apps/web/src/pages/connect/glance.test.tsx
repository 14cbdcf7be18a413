import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LimitList } from '../../shared/grant-words/limit-list.tsx'
import { policyLimits } from '../../shared/grant-words/limits.ts'
import { limitList } from './glance.ts'

test.each([1, 5, 20])('%i levels of limits look as React draws them', (levels) => {
  let statement: unknown = ['not', ['like', '.deepest', '*end*']]
  for (let level = levels; level > 0; level -= 1)
    statement = [level % 2 ? 'or' : 'and', [['==', `.f${level}`, level], statement]]
  const { limits } = policyLimits('/msg/send', [statement])
  const { container } = render(<LimitList limits={limits} />)
  expect(limitList(limits).outerHTML).toBe(container.innerHTML)
})
