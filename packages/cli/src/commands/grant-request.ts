// What a person is asked for, checked before a way for the answer is opened.
import type { Holder } from '@keyhole/holder'
import { wrongUsage } from '../errors.ts'

/** Bounds of a request, in seconds and characters (docs/requests.md). */
const [SHORTEST, LONGEST] = [60, 31_536_000]
const [MOST_REASON, MOST_NAME] = [300, 60]

/** @throws CommandError for what no vault takes */
export function checkRequest({
  vault,
  command,
  expiresIn = SHORTEST,
  reason = '',
  name = '',
}: Parameters<Holder['ask']>[0]): void {
  if (/^\/(?:ucan(?:\/.*)?)?$/.test(command))
    wrongUsage('No vault grants / or what is under /ucan. Name another command, such as /mcp/tools/call.')
  if (!/^(?:\/[^/]+)+$/.test(command) || command.toLowerCase() !== command)
    wrongUsage('A command is lower-case words, each after a slash, such as /mcp/tools/call.')
  if (!isSafe(vault)) wrongUsage('--vault takes an https URL. With http, only a vault on this machine works.')
  if (expiresIn < SHORTEST || expiresIn > LONGEST) wrongUsage('--for takes 1m at least, and 365d at most.')
  if ([...reason].length > MOST_REASON) wrongUsage(`--reason takes ${MOST_REASON} characters at most.`)
  if ([...name].length > MOST_NAME) wrongUsage(`--name takes ${MOST_NAME} characters at most.`)
}

function isSafe(vault: string | URL): boolean {
  if (!URL.canParse(vault)) return false
  const { protocol, hostname } = new URL(vault)
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return protocol === 'https:' || (isHere && protocol === 'http:')
}
