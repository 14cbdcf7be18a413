import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder } from '../test/parts.ts'
import { resolvePath, writtenPath } from './paths.ts'

it('follows links on this machine, and compares paths of another one as they are written', async () => {
  const home = await folder()
  await mkdir(join(home, 'real'))
  await symlink(join(home, 'real'), join(home, 'link'))
  expect(await resolvePath(join(home, 'link'))).toBe(join(home, 'real'))
  expect(await writtenPath(join(home, 'link'))).toBe(join(home, 'link'))
})

it.each([
  'notes',
  '~/notes',
  '/a/%2e%2e/b',
  '/a\\b',
  '/a\u2215b',
  '/a/\u2024\u2024/b',
  ' /a',
  '"/a"',
  '/a\0',
])('takes no path that a server could read in another way: %j', async (path) => {
  expect(await resolvePath(path)).toBeUndefined()
  expect(await writtenPath(path)).toBeUndefined()
})

it.each(['/a/../b', '/a/./b', '/a//b', '/a/'])('has one way to write a path: not %s', async (path) => {
  expect(await writtenPath(path)).not.toBe(path)
})
