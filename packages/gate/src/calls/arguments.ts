import { refuseCall } from '../errors.ts'
import type { resolvePath } from './paths.ts'

export type Arguments = Readonly<Record<string, unknown>>

const DEEPEST = 64

/** Words with which servers end the names of arguments that are paths. */
const PATH_LIKE =
  /^(?:path|paths|file|files|filename|filenames|filepath|filepaths|folder|folders|dir|dirs|directory|directories|cwd|root|roots|source|sources|src|destination|dest|dst|target|location)$/i

/** Whether a value is an object of JSON, not a list. */
export function isRecord(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The names of a tool's arguments, at any depth, that look like paths on this machine. The tool needs the gate to be told which are. */
export function pathLike(schema: unknown): readonly string[] {
  const names = new Set<string>()
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return
    if (isRecord(value) && isRecord(value.properties))
      for (const name of Object.keys(value.properties)) if (PATH_LIKE.test(lastWord(name))) names.add(name)
    for (const each of Object.values(value)) look(each, depth + 1)
  }
  look(schema, 0)
  return [...names]
}

/** `path` of `repo_path`, `repo-path` and `repoPath`. */
function lastWord(name: string): string {
  return (
    name
      .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
      .filter(Boolean)
      .at(-1) ?? ''
  )
}

/** Whether JavaScript writes it as JSON: an integer of more than 53 bits it doesn't. */
export function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

/** Refuses arguments that a tool or prompt does not say it takes, and keys that mean something to JavaScript. @throws CallRefused */
export function checkNames(args: Arguments, schema: unknown): void {
  checkKeys(args, 0)
  if (!isRecord(schema) || !isRecord(schema.properties)) return
  if (
    schema.additionalProperties === true ||
    isRecord(schema.additionalProperties) ||
    schema.patternProperties
  )
    return
  const known = new Set(Object.keys(schema.properties))
  const unknown = Object.keys(args).find((name) => !known.has(name))
  if (unknown !== undefined)
    refuseCall('UnknownArgument', `There is no argument ${JSON.stringify(unknown.slice(0, 60))}.`)
}

/** Refuses nesting without end, and keys that mean something to JavaScript. @throws CallRefused MalformedCall */
export function checkKeys(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > DEEPEST) refuseCall('MalformedCall', `The arguments are nested deeper than ${DEEPEST} levels.`)
  for (const [key, each] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      refuseCall('MalformedCall', `An argument can't be called ${key}.`)
    checkKeys(each, depth + 1)
  }
}

/**
 * Refuses paths that aren't written as they are compared.
 *
 * @param names of the arguments that are paths, at any depth
 * @param resolve what a path is, where the server is
 * @throws CallRefused UnclearPath, with the arguments as they should be if all exist
 */
export async function checkPaths(
  args: Arguments,
  names: readonly string[],
  resolve: typeof resolvePath,
): Promise<void> {
  if (names.length === 0) return
  const wanted = new Set(names)
  let isClear = true
  let canResolve = true

  async function pathsIn(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return await Promise.all(value.map(pathsIn))
    if (typeof value !== 'string') {
      isClear = false
      canResolve = false
      return value
    }
    const resolved = await resolve(value)
    isClear &&= resolved === value
    canResolve &&= resolved !== undefined
    return resolved
  }

  async function look(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return await Promise.all(value.map(look))
    if (!isRecord(value)) return value
    const entries = Object.entries(value).map(
      async ([key, each]) => [key, await (wanted.has(key) ? pathsIn(each) : look(each))] as const,
    )
    return Object.fromEntries(await Promise.all(entries))
  }

  const resolved = await look(args)
  if (isClear) return
  const message =
    'Write each path in full: absolute, without "..", symbolic links, quotes, escapes or invisible characters.'
  refuseCall('UnclearPath', message, { resolved: canResolve && isRecord(resolved) ? resolved : undefined })
}
