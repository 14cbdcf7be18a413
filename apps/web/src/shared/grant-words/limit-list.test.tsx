import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LimitList } from './limit-list.tsx'
import { policyLimits } from './limits.ts'
import { DEEPEST } from './shallow-limits.ts'

/** Two conditions at each level, and a group with the levels below. */
function deep(levels: number): unknown {
  let statement: unknown = ['not', ['==', '.deepest', 'end']]
  for (let level = levels; level > 0; level -= 1)
    statement = [level % 2 ? 'or' : 'and', [['==', `.f${level}`, `v${level}`], statement]]
  return statement
}

function depthOf(list: Element): number {
  const within = [...list.querySelectorAll(':scope > li > ul')]
  return 1 + Math.max(0, ...within.map(depthOf))
}

function drawn(levels: number) {
  const { limits } = policyLimits('/msg/send', [deep(levels)])
  const { container } = render(<LimitList limits={limits} />)
  const [list] = container.children
  if (!list) throw new Error('nothing was drawn')
  return { depth: depthOf(list), text: list.textContent }
}

test('twenty levels stay within the width, and every condition is there', () => {
  const { depth, text } = drawn(20)
  expect(depth).toBe(DEEPEST)
  for (let level = 1; level <= 20; level += 1) expect(text).toContain(`“f${level}” is “v${level}”`)
  expect(text).toContain('“deepest” is not “end”')
  expect(text).toContain(
    'all of these 2: 1) “f8” is “v8”; 2) at least one of these 2: 2.1) “f9” is “v9”; 2.2)',
  )
  expect(text).toContain('end of the list')
})

test('what has room is indented', () => {
  const { depth, text } = drawn(DEEPEST - 1)
  expect(depth).toBe(DEEPEST)
  expect(text).not.toContain('end of the list')
})
