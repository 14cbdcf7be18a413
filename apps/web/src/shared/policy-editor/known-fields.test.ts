import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { asStatement } from '../policy/statement.ts'
import { exampleOf, knownFields } from './known-fields.ts'
import { emptyNode, nodeStatement } from './node.ts'

it('offers fields of a known command and of all under it, and none of another', () => {
  expect(knownFields('/file/read').map(({ field }) => field)).toEqual(['.path', '.size'])
  expect(knownFields('/msg/send').map(({ field }) => field)).toEqual(['.to', '.subject'])
  expect(knownFields('/msgboard')).toEqual([])
  expect(knownFields('/')).toEqual([])
  expect(knownFields('')).toEqual([])
})

it('offers the code of one call where a gate gives one', () => {
  const has = (command: string) => knownFields(command).some(({ field }) => field === '.once')
  for (const command of ['/mcp/tools/call', '/mcp/resources/read', '/mcp/prompts/get', '/http/post'])
    expect(has(command)).toBe(true)
  expect(has('/file/read')).toBe(false)
})

it('knows an example by its field, typed with or without a dot', () => {
  expect(exampleOf('/msg/send', '.to')).toBe('*@example.com')
  expect(exampleOf('/msg/send', ' to')).toBe('*@example.com')
  expect(exampleOf('/msg/send', '.too')).toBeUndefined()
})

it.each([
  ...['/file', '/msg', '/http', '/crypto/sign', '/payment/authorize', '/payment/request'],
  ...['/mcp/tools/call', '/mcp/resources/read', '/mcp/prompts/get'],
])('each limit offered for %s is valid with its example', (command) => {
  const fields = knownFields(command)
  expect(fields.length).toBeGreaterThan(0)
  for (const { field, kind, example } of fields) {
    const statement = asStatement(nodeStatement({ ...emptyNode(kind), field, value: example }))
    expect(statement).not.toHaveProperty('problem')
  }
})

it("offers a gate's commands only fields that its documentation has", () => {
  const text = readFileSync(new URL('../../../../../docs/commands.md', import.meta.url), 'utf8')
  const schemas: Record<string, { properties: object; required: string[] }> = Object.assign(
    {},
    ...Array.from(text.matchAll(/^```json\n(\{\n {2}"\/(?:mcp|http)\/[\s\S]+?)^```/gm), ([, json = '']) =>
      JSON.parse(json),
    ),
  )
  expect(Object.keys(schemas)).toEqual([
    ...['/mcp/tools/call', '/mcp/resources/read', '/mcp/prompts/get', '/http/get', '/http/post'],
  ])
  for (const [command, { properties, required }] of Object.entries(schemas)) {
    const names = knownFields(command).map(({ field }) => field.split('.')[1] ?? '')
    expect(Object.keys(properties), command).toEqual(expect.arrayContaining(names))
    expect(names, command).toEqual(expect.arrayContaining(required))
  }
})
