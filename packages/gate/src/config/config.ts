// The gate's configuration: one JSON file.
import { isDid } from '@keyhole/verify/did'
import { z } from 'zod'
import { GateError } from '../errors.ts'
import { problemsOf, sayProblem } from './problems.ts'

const DID = 'must be a whole DID, such as did:key:z6Mk…, as a vault shows it'
const Did = z.string().refine(isDid, DID).meta({ pattern: String.raw`^did:[a-z0-9]+:\S+$` })
/** Where a secret comes from. The secret itself is never in the file. */
const Source = z
  .string()
  .regex(
    /^(?:env|file|command):./,
    'env:NAME, file:/path or command:program and its arguments, with quotes around spaces',
  )

const Paths = z
  .array(z.string().min(1))
  .optional()
  .describe('Names of the arguments that are paths on the server; [] if there are none')
const Folders = z
  .array(z.string().regex(/^\/[^\p{Cc}]{0,255}$/u, 'a path, such as /home/me/notes/*'))
  .max(50)
  .default([])
  .describe('Paths that the owner is offered when they grant, such as /home/me/notes/*. They limit nothing')
const Rule = {
  command: z
    .string()
    .regex(/^(?:\/[^\s/]+)+$/, 'a command, such as /mcp/tools/call')
    .optional()
    .describe('Which command, with all below it. Default: any'),
  policy: z
    .array(z.array(z.unknown()).min(1))
    .max(64)
    .default([])
    .describe('Which of its calls: a policy of UCAN, as in a grant'),
}
const Ask = z.strictObject(Rule).describe('Calls that the owner allows one by one, whatever was granted')
const Budget = z
  .strictObject({
    ...Rule,
    per: z.enum(['hour', 'day', 'week', 'month']).describe('In UTC. A week begins on Monday'),
    calls: z.number().int().min(1).max(1_000_000_000).optional().describe('How many calls'),
    sum: z
      .strictObject({
        of: z
          .string()
          .regex(/^(?:\.[A-Za-z_]\w*)+$/, 'a field, such as .arguments.amount')
          .describe('An argument that is a number'),
        most: z.number().positive().max(1_000_000_000),
      })
      .optional()
      .describe('How much of an argument, over all calls'),
    each: z
      .enum(['gate', 'grant'])
      .default('gate')
      .describe('Whether all callers share it, or those of one grant of an owner'),
  })
  .refine(({ calls, sum }) => calls !== undefined || sum !== undefined, 'a budget has `calls` or `sum`')
const Rules = {
  ask: z.array(Ask).max(100).default([]),
  budgets: z.array(Budget).max(100).default([]),
}
const Interactive = z
  .boolean()
  .default(false)
  .describe(
    'Whether the server may log to the agent, and ask it things, during a call. No grant limits what the agent answers',
  )
const Bounds = {
  timeout: z.number().int().min(1).max(3_600).default(60).describe('Longest call, in seconds'),
  concurrency: z.number().int().min(1).max(10_000).default(64).describe('Calls at a time'),
  ...Rules,
}
const LongestAnswer = z.number().int().min(1_024).max(67_108_864).default(4_194_304)

const LocalServer = z
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
    paths: Paths,
    suggest: Folders,
    interactive: Interactive,
    ...Bounds,
    longestAnswer: LongestAnswer.describe('In characters of JSON'),
  })
  .describe('An MCP server that speaks over stdio')

/** Methods of HTTP that a call may have. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const HeaderName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,60}$/i)
  .refine(
    (name) =>
      !/^(?:host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i.test(
        name,
      ),
    'a header that the gate writes itself',
  )
const HeaderValue = z.string().regex(/^[\x20-\x7e]{1,1000}$/)

const Auth = z.union([
  z.strictObject({
    header: HeaderName,
    prefix: z
      .string()
      .regex(/^[\x20-\x7e]{0,100}$/)
      .default('Bearer '),
    secret: Source,
  }),
  z
    .strictObject({ user: z.string().regex(/^[^:\p{Cc}]{0,200}$/u), secret: Source })
    .describe('Basic authentication'),
  z.strictObject({ query: z.string().regex(/^[\w.-]{1,60}$/), secret: Source }),
])

/** How a server or service on the network is reached. */
const Place = {
  url: z
    .url({ protocol: /^https?$/ })
    .refine(
      (text) => /^https?:\/\/[^@?#\\]+$/.test(text),
      'an origin and a path, without user, query and fragment',
    ),
  auth: Auth.optional().describe('How the credential is put in, and where it comes from'),
  headers: z
    .record(HeaderName, HeaderValue)
    .default({})
    .describe('Headers of every request. No secrets: see `auth`'),
  private: z.boolean().default(false).describe('Whether it may be on this machine or its network'),
  ...Bounds,
}

const OAuth = z
  .strictObject({
    scope: z
      .string()
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'scopes, with spaces between them')
      .max(1_000)
      .optional()
      .describe('What to ask for. Default: what the server says'),
    client: z
      .string()
      .regex(/^[\x20-\x7e]{1,1000}$/)
      .optional()
      .describe('Client ID. Default: the gate registers itself'),
    secret: Source.optional().describe("The client's secret, and where it comes from"),
  })
  .refine(({ client, secret }) => client !== undefined || secret === undefined, 'a secret needs its `client`')
  .describe('A login by OAuth: `keyhole gate login NAME`')

const RemoteServer = z
  .strictObject({
    ...Place,
    oauth: OAuth.optional(),
    url: Place.url.describe('Where the server speaks MCP'),
    paths: Paths,
    suggest: Folders,
    interactive: Interactive,
    longestAnswer: LongestAnswer.describe('In characters of JSON'),
  })
  .refine(({ auth, oauth }) => !auth || !oauth, 'it has `auth` or `oauth`, not both')
  .describe('An MCP server that speaks over streamable HTTP')

const Service = z
  .strictObject({
    ...Place,
    url: Place.url.describe('Base URL. Paths of calls come after it'),
    methods: z.array(z.enum(METHODS)).min(1).default(['GET']).describe('Which methods calls may use'),
    uploads: z
      .number()
      .int()
      .min(0)
      .max(67_108_864)
      .default(0)
      .describe(
        'Longest body that is sent beside a call, in bytes: files, forms, long JSON. No limit sees into it. Default: none',
      ),
    suggest: z
      .array(z.string().regex(/^\/[^\s?#]{0,255}$/, 'a path, such as /repos/me/*'))
      .max(50)
      .default([])
      .describe('Paths that the owner is offered when they grant, such as /repos/me/*. They limit nothing'),
    bodies: z
      .enum(['json', 'form'])
      .default('json')
      .describe('How bodies are written. Forms beside a call are taken only with `form`'),
    longestAnswer: LongestAnswer.describe('In bytes'),
  })
  .describe('An HTTP API')

const Cluster = z
  .strictObject({
    servers: z
      .array(z.string().regex(/^(?:\[[\da-f:]+\]|[\w.-]+):\d{1,5}$/i, 'HOST:PORT, without a password'))
      .min(1)
      .max(100),
    login: Source.optional().describe('user:password, and where it comes from'),
    replicas: z
      .number()
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe('Servers that store each call. Default: 3 if three or more are named, else 1'),
    name: z
      .string()
      .regex(/^\w{1,40}$/)
      .optional()
      .describe('Prefix of the streams. Gates with the same one count together. Default: keyhole_claims'),
  })
  .describe('A NATS cluster where several gates count used calls and budgets together. Default: in `data`')

const Name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/)

const Config = z
  .strictObject({
    $schema: z.string().optional(),
    owners: z
      .array(Did)
      .max(100)
      .describe('DIDs of those whose grants are honoured. With none, the gate lets nothing through'),
    vault: z.url({ protocol: /^https?$/ }).describe("The owner's vault, to which links lead"),
    relay: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The owners' relay, where the gate listens for revocations"),
    freshness: z
      .number()
      .int()
      .min(15)
      .max(3_600)
      .default(25)
      .describe('Seconds without the relay after which no call is carried out'),
    data: z.string().min(1).optional().describe('Folder for what the gate remembers'),
    cluster: Cluster.optional(),
    servers: z
      .record(Name, z.union([LocalServer, RemoteServer]))
      .default({})
      .describe('MCP servers behind the gate'),
    services: z.record(Name, Service).default({}).describe('HTTP APIs behind the gate'),
  })
  .describe('Configuration of a Keyhole gate')

export type ClusterConfig = z.output<typeof Cluster>
export type AskRule = z.output<typeof Ask>
export type BudgetRule = z.output<typeof Budget>
export type GateConfig = z.output<typeof Config>
export type LocalServerConfig = z.output<typeof LocalServer>
export type RemoteServerConfig = z.output<typeof RemoteServer>
export type ServerConfig = LocalServerConfig | RemoteServerConfig
export type ServiceConfig = z.output<typeof Service>

/** Reads a configuration. @throws GateError INVALID_CONFIG, which says where and what */
export function readConfig(from: unknown): GateConfig {
  const result = Config.safeParse(from, { error: sayProblem })
  if (result.success) return result.data
  const problems = problemsOf(result.error.issues).slice(0, 5)
  throw new GateError('INVALID_CONFIG', `The configuration is wrong. ${problems.join('; ')}.`)
}

/** The JSON Schema of the file. */
export function configSchema(): object {
  return z.toJSONSchema(Config, { io: 'input' })
}
