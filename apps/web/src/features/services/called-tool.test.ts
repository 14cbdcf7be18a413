import { expect, test } from 'vitest'
import { calledTool, fixedFields } from './called-tool.ts'

const SERVER = ['==', '.server', 'files']
const NAME = ['==', '.name', 'read']
const CALL = '/mcp/tools/call'

test('a policy names a tool if it leaves one server and one name, however their fields are written', () => {
  const called = { kind: 'tool', server: 'files', name: 'read' }
  expect(calledTool(CALL, [SERVER, NAME, ['<', '.arguments.a', 1]])).toEqual(called)
  expect(calledTool(CALL, [['==', '.["server"]', 'files'], NAME, NAME])).toEqual(called)
  expect(calledTool('/mcp/prompts/get', [SERVER, NAME])).toEqual({ ...called, kind: 'prompt' })
})

test.each([
  ['another command', '/mcp/tools', [SERVER, NAME]],
  ['a command that objects have too', 'constructor', [SERVER, NAME]],
  ['no server', CALL, [NAME]],
  ['no name', CALL, [SERVER]],
  ['two names', CALL, [SERVER, NAME, ['==', '.name', 'write'], ['==', '.name', 'write']]],
  ['one name or another', CALL, [SERVER, ['or', [NAME]]]],
  ['a pattern', CALL, [SERVER, ['like', '.name', 'read']]],
  ['all names but one', CALL, [SERVER, ['!=', '.name', 'read']]],
  ['a number', CALL, [SERVER, ['==', '.name', 1]]],
  ['no statements', CALL, [null, '==', {}]],
])('%s names none', (_, command, policy) => {
  expect(calledTool(command, policy)).toBeUndefined()
})

test('a field that has to be one value is fixed, and one with a bound is not', () => {
  const policy = [
    ['==', '.arguments["a"]', 1],
    ['<=', '.arguments.b', 1],
    ['not', ['==', '.arguments.c', 1]],
  ]
  expect([...fixedFields(policy)]).toEqual(['.arguments.a'])
})
