import { readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Gate, GateConfig, GateOptions } from '@keyhole/gate'
import type { Given, Option } from './command.ts'
import { CommandError, FAILED, NO } from './errors.ts'
import type { EventLog } from './event-log.ts'
import { visible } from './values.ts'

/** The file that is read if none is named. */
export const CONFIG_FILE = 'keyhole-gate.json'

export const CONFIG: Option = {
  type: 'string',
  short: 'c',
  value: 'FILE',
  help: `Configuration of the gate. Default: ${CONFIG_FILE}`,
}

/** Reads the configuration that is named. Folders in it are relative to its own. @throws CommandError, GateError */
export async function gateConfig({ text, io }: Given): Promise<GateConfig> {
  const path = resolve(io.cwd, text('config') ?? CONFIG_FILE)
  const source = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(
      FAILED,
      'FILE',
      `The configuration ${path} can't be read. \`keyhole gate init\` makes one.`,
    )
  })
  let parsed: unknown
  try {
    parsed = JSON.parse(source)
  } catch {
    throw new CommandError(FAILED, 'INVALID_CONFIG', `${path} is not JSON.`)
  }
  const { readConfig } = await import('@keyhole/gate')
  const config = readConfig(parsed)
  const { data, servers } = config
  const from = (folder: string) => resolve(dirname(path), folder)
  return {
    ...config,
    ...(data !== undefined && { data: from(data) }),
    servers: Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [
        name,
        { ...server, ...('command' in server && server.cwd !== undefined && { cwd: from(server.cwd) }) },
      ]),
    ),
  }
}

/** The same for what needs an owner: without one, a gate lets nothing through. @throws CommandError NO_OWNER, GateError */
export async function ownedConfig(given: Given): Promise<GateConfig> {
  const config = await gateConfig(given)
  if (config.owners.length === 0)
    throw new CommandError(
      NO,
      'NO_OWNER',
      'The gate has no owner yet, so it would let nothing through. Run `keyhole gate introduce`, and answer in your vault.',
    )
  return config
}

/**
 * Changes fields of the configuration, and leaves the rest as it is written.
 *
 * @param change makes the changes of the file as it is now
 */
export async function changeConfig(
  { text, io }: Given,
  change: (written: Readonly<Record<string, unknown>>) => object,
): Promise<void> {
  const path = resolve(io.cwd, text('config') ?? CONFIG_FILE)
  const written: Readonly<Record<string, unknown>> = Object(JSON.parse(await readFile(path, 'utf8')))
  const changed = { ...written, ...change(written) }
  const draft = `${path}.${process.pid}.new`
  try {
    await writeFile(draft, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600, flush: true })
    await rename(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => {})
    throw error
  }
}

/** Opens the gate that is configured. */
export async function configuredGate(given: Given): Promise<Gate> {
  return await openConfigured(await gateConfig(given), given)
}

/**
 * Opens a gate by a configuration that was read.
 *
 * @param log what is told of it while it runs. Default: lines of text on standard error
 */
export async function openConfigured(
  config: GateConfig,
  { io }: Given,
  checks: GateOptions['checks'] = 'beside',
  log: Pick<EventLog, 'error' | 'server'> = textLog(io),
): Promise<Gate> {
  const { openGate } = await import('@keyhole/gate')
  return await openGate({
    config,
    checks,
    env: io.env,
    onError: log.error,
    onLog: log.server,
  })
}

/** For a person, or the program that started a command. */
function textLog({ tell }: Given['io']): Pick<EventLog, 'error' | 'server'> {
  return {
    error: (error) => tell(visible(`keyhole: ${error instanceof Error ? error.message : String(error)}`)),
    server: (name, line) => tell(visible(`${name}: ${line}`)),
  }
}
