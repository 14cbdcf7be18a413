// Clients that can open a link for the person: URL elicitation.
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isRecord } from '../calls/arguments.ts'
import type { GrantNeeded } from './grant-needed.ts'

/** Whether the client said that it opens links. */
export function canOpenLinks(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope: unknown = mcpReq.envelope
  const ofRequest = isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined
  const capabilities: unknown = ofRequest ?? server.getClientCapabilities()
  return (
    isRecord(capabilities) && isRecord(capabilities.elicitation) && isRecord(capabilities.elicitation.url)
  )
}

/** What the person reads beside the link. */
export function linkMessage({ shortCode }: GrantNeeded): string {
  return `Grant this call in your vault. The vault shows the code ${shortCode}.`
}

/** Has the client open the link, and make the request again. */
export function openLink(needed: GrantNeeded) {
  const grant = inputRequired.elicitUrl({ url: needed.link, message: linkMessage(needed) })
  return inputRequired({ inputRequests: { grant } })
}

/** A grant that is missing, as data of an error. */
export function linkData({ code, link, shortCode }: GrantNeeded) {
  return { error: code, request: link, code: shortCode }
}
