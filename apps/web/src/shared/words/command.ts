import { t } from '@lingui/core/macro'
import { AUTHORIZE, REQUEST } from './payment-commands.ts'
import { quotable } from './value.ts'

export { covers } from './covers.ts'

/**
 * The commands with their own words: the end of "may …", as a switch so that each is a message. A command covers all below it, also what
 * has no words here, so one with others below it says "anything".
 */
function known(command: string): string | undefined {
  switch (command) {
    case '/':
      return t`do anything at all`
    case '/crud':
      return t`do anything with data`
    case '/crud/create':
      return t`create data`
    case '/crud/read':
      return t`read data`
    case '/crud/update':
      return t`change data`
    case '/crud/delete':
      return t`delete data`
    case '/crypto':
      return t`do anything with keys`
    case '/crypto/sign':
      return t`have data signed`
    case '/file':
      return t`do anything with files`
    case '/file/read':
      return t`read files`
    case '/file/write':
      return t`write files`
    case '/http':
      return t`make any web request`
    case '/http/get':
      return t`fetch web pages`
    case '/http/post':
      return t`send data to web services`
    case '/mcp/tools/call':
      return t`call tools of MCP servers`
    case '/mcp/resources/read':
      return t`read resources of MCP servers`
    case '/mcp/prompts/get':
      return t`use prompts of MCP servers`
    case '/msg':
      return t`do anything with messages`
    case '/msg/read':
      return t`read messages`
    case '/msg/send':
      return t`send messages`
    case '/payment':
      return t`do anything with payments`
    case AUTHORIZE:
      return t`authorise payments`
    case REQUEST:
      return t`ask for payments that the giver’s vault counts and signs`
    case '/relay/revocations/read':
      return t`see which grants were revoked, and report what was used`
    case '/ucan/revoke':
      return t`revoke tokens`
    default:
      return undefined
  }
}

/** What a command lets its holder do, as the end of "may …". An unknown one is quoted, with what it covers. */
export function commandWords(command: string): string {
  return known(command) ?? t`use “${quotable(command)}” and everything under it`
}

/** The same for something that the reader's own vault gives: there, a request for a payment goes to it. */
export function givenWords(command: string): string {
  return command === REQUEST ? t`ask your vault to pay` : commandWords(command)
}

/** Why a text isn't a command (lower case, starts with "/", no empty segment). Undefined if it is one. */
export function commandProblem(command: string): string | undefined {
  if (command === '') return t`Say what they can do: a command such as /msg/send.`
  if (!command.startsWith('/')) return t`A command starts with a slash, as in /msg/send.`
  if (command === '/') return undefined
  if (command.endsWith('/')) return t`A command does not end with a slash.`
  if (command.includes('//')) return t`A command has no empty part: two slashes stand side by side.`
  if (command !== command.toLowerCase()) return t`A command is written in lower case.`
  if (/\s/.test(command)) return t`A command has no spaces in it.`
  return undefined
}
