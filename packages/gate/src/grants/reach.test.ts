import fc from 'fast-check'
import { expect, it } from 'vitest'
import { policyHolds, type Value } from '../../../enclave/src/test/naive-evaluator.ts'
import { canReach } from './reach.ts'

const names = fc.constantFrom('read', 'write', 're*d', '')
const selectors = fc.constantFrom(
  '.server',
  '.name',
  '.["name"]',
  '.name?',
  '.arguments.path',
  '.',
  '.x?',
  '.arguments',
)
const { statement } = fc.letrec<{ statement: unknown }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(fc.constantFrom('==', '!='), selectors, names),
    fc.tuple(fc.constant('like'), selectors, fc.constantFrom('read', 'r*', '*', '*d', 're\\*d', 'r*d*', '')),
    fc.tuple(fc.constantFrom('<', '>='), selectors, fc.constant(1n)),
    fc.tuple(fc.constant('not'), tie('statement')),
    fc.tuple(fc.constantFrom('and', 'or'), fc.array(tie('statement'), { maxLength: 3 })),
    fc.tuple(fc.constantFrom('all', 'any'), selectors, tie('statement')),
  ),
}))

it('hides nothing that a grant allows', () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 3 }), names, names, names, (policy, server, name, path) => {
      const args = new Map<string, Value>([
        ['server', server],
        ['name', name],
        ['arguments', new Map([['path', path]])],
      ])
      const reaches = canReach({ command: '/mcp', policy }, '/mcp/tools/call', { server, name })
      if (policyHolds(policy as Value, args)) expect(reaches).toBe(true)
    }),
    { numRuns: 5_000 },
  )
})

it.each([
  ['/mcp/tools/call', true],
  ['/', true],
  ['/mcp/tools', true],
  ['/mcp/tool', false],
  ['/mcp/tools/call/x', false],
  ['/http', false],
])('%s reaches a tool: %s', (command, reaches) => {
  expect(canReach({ command, policy: [] }, '/mcp/tools/call', {})).toBe(reaches)
})

it('hides what a grant names otherwise', () => {
  const grant = {
    command: '/mcp',
    policy: [
      ['==', '.name', 'read'],
      ['like', '.arguments.path', '/x/*'],
    ],
  }
  expect(canReach(grant, '/mcp/tools/call', { server: 's', name: 'write' })).toBe(false)
  expect(canReach(grant, '/mcp/tools/call', { server: 's', name: 'read' })).toBe(true)
})
