import { expect, it } from 'vitest'
import { pathLike } from './arguments.ts'

it.each([
  [{ properties: { path: {}, message: {} } }, ['path']],
  [
    { properties: { repo_path: {}, 'target-dir': {}, outputFile: {}, PATH: {} } },
    ['repo_path', 'target-dir', 'outputFile', 'PATH'],
  ],
  [
    { properties: { files: { items: { properties: { filePath: {}, content: {} } } } } },
    ['files', 'filePath'],
  ],
  [{ anyOf: [{ properties: { cwd: {} } }] }, ['cwd']],
  [{ properties: { name: {}, profile: {}, pathology: {}, url: {} } }, []],
  [undefined, []],
  [{ properties: [] }, []],
])('finds arguments that look like paths: %j', (schema, names) => {
  expect(pathLike(schema)).toEqual(names)
})
