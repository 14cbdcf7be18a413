import type { Command } from '../command.ts'
import { CommandError, FAILED, wrongUsage } from '../errors.ts'
import { CONFIG, gateConfig } from '../gate-config.ts'
import { readTime, visible } from '../values.ts'

/** How long a person has, in seconds. */
const LONGEST_WAIT = 600

export const login: Command = {
  name: 'gate login',
  summary: 'Log in to a server on the network that asks for it. The gate keeps the login, and renews it',
  operands: 'SERVER',
  options: {
    config: CONFIG,
    port: {
      type: 'string',
      value: 'PORT',
      help: 'The port of this machine that the browser comes back to, for a client with a fixed address. Default: any',
    },
    wait: { type: 'string', value: 'TIME', help: 'For how long to wait. Default: 10m' },
  },
  examples: [
    ['keyhole gate login tracker', 'The server `tracker` has `"oauth": {}` in the configuration'],
    [
      'keyhole gate login tracker --port 4293',
      'Its client was registered for http://127.0.0.1:4293/callback',
    ],
  ],
  async run(given) {
    const { positionals, io } = given
    const [name, ...others] = positionals
    if (name === undefined || others.length > 0)
      return wrongUsage('Name one server: keyhole gate login SERVER.')
    const port = Number(given.text('port') ?? 0)
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return wrongUsage('--port takes a port.')
    const time = given.text('wait')
    const wait = time === undefined ? LONGEST_WAIT : readTime(time)
    if (wait > LONGEST_WAIT) return wrongUsage('--wait is 10m at most.')
    const config = await gateConfig(given)
    const server = config.servers[name]
    if (!server || !('url' in server))
      throw new CommandError(
        FAILED,
        'INVALID_CONFIG',
        `The configuration has no server ${visible(name)} with a \`url\`.`,
      )
    const { gateFolder, logIn } = await import('@keyhole/gate')
    const { issuer, scope, expiresAt, isRenewed } = await logIn({
      name,
      config: server,
      folder: config.data ?? gateFolder(io.env),
      env: io.env,
      port,
      signal: timeoutIn(wait),
      onLink(link) {
        if (given.has('json')) io.print(JSON.stringify({ link }))
        else
          for (const line of ['Open this link in a browser on this machine:', '', link, '', 'Waiting…'])
            io.tell(line)
      },
    })
    const until = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()
    return {
      json: { issuer, scope, until, renewed: isRenewed },
      text: [
        `The gate is logged in to ${name} by ${visible(issuer)}.`,
        isRenewed
          ? 'It renews the login.'
          : until === undefined
            ? "The issuer didn't say for how long."
            : `The login can't be renewed. It ends at ${until}: log in again then.`,
      ].join(' '),
    }
  },
}

/** Ends the waiting. It keeps no process alive. */
function timeoutIn(seconds: number): AbortSignal {
  const controller = new AbortController()
  const late = new CommandError(FAILED, 'LOGIN_EXPIRED', 'No one logged in in time. Start again.')
  setTimeout(() => controller.abort(late), seconds * 1_000).unref()
  return controller.signal
}
