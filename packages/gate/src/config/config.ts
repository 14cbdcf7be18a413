// The gate's configuration: one JSON file.
import { z } from 'zod'
import { GateError } from '../errors.ts'

const Did = z.string().regex(/^did:[a-z0-9]+:\S+$/, 'a DID, such as did:key:z6Mk…')
/** Where a secret comes from. The secret itself is never in the file. */
const Source = z
  .string()
  .regex(/^(?:env|file|command):./, 'env:NAME, file:/path or command:program and its arguments')

const Server = z
  .strictObject({
    command: z.string().min(1).describe('The program that is the MCP server'),
    args: z.array(z.string()).default([]),
    cwd: z.string().optional(),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe('Variables of the server. No secrets: see `secrets`'),
    secrets: z
      .record(z.string(), Source)
      .default({})
      .describe('Variables of the server that are secret, and where each comes from'),
    paths: z
      .array(z.string().min(1))
      .optional()
      .describe('Names of the arguments that are paths on this machine; [] if there are none'),
    timeout: z.number().int().min(1).max(3_600).default(60).describe('Longest call, in seconds'),
    concurrency: z.number().int().min(1).max(10_000).default(64).describe('Calls at a time'),
    longestAnswer: z
      .number()
      .int()
      .min(1_024)
      .max(67_108_864)
      .default(4_194_304)
      .describe('In characters of JSON'),
  })
  .describe('An MCP server that speaks over stdio')

const Config = z
  .strictObject({
    $schema: z.string().optional(),
    owners: z.array(Did).min(1).max(100).describe('DIDs of those whose grants are honoured'),
    vault: z.url({ protocol: /^https?$/ }).describe("The owner's vault, to which links lead"),
    data: z.string().min(1).optional().describe('Folder for what the gate remembers'),
    servers: z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/), Server),
  })
  .describe('Configuration of a Keyhole gate')

export type GateConfig = z.output<typeof Config>
export type ServerConfig = z.output<typeof Server>

/** Reads a configuration. @throws GateError INVALID_CONFIG, which says where and what */
export function readConfig(from: unknown): GateConfig {
  const result = Config.safeParse(from)
  if (result.success) return result.data
  const problems = result.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
  throw new GateError('INVALID_CONFIG', `The configuration is wrong. ${problems.join('; ')}.`)
}

/** The JSON Schema of the file. */
export function configSchema(): object {
  return z.toJSONSchema(Config, { io: 'input' })
}
