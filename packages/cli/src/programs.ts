import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import type { Io } from './command.ts'

/** Whether a program can be started by its name or path. On Windows, where a name is not the whole file's, it is found out by starting it. */
export async function isInstalled(program: string, { env, cwd }: Pick<Io, 'env' | 'cwd'>): Promise<boolean> {
  if (process.platform === 'win32') return true
  const places = program.includes('/') ? [''] : (env.PATH ?? '').split(delimiter)
  const found = places.map((place) => isProgram(resolve(cwd, join(place, program))))
  return (await Promise.all(found)).includes(true)
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
