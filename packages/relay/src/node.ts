// The handler for `node:http` servers.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { errorResponse, RelayError } from './http/answers.ts'
import type { Relay } from './relay.ts'

export interface ListenerOptions {
  /** The client's address. Default: that of the connection. Behind a proxy, read it from the proxy's header. */
  readonly address?: (request: IncomingMessage) => string
}

/** Handles every request it is given, so it can run alone or behind another handler. */
export function relayListener(
  relay: Relay,
  { address = ({ socket }) => socket.remoteAddress ?? '' }: ListenerOptions = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      relay.fetch(request, {
        address: address(incoming as IncomingMessage),
        disconnect: () => void outgoing.destroy(),
      }),
    { overrideGlobalObjects: false },
  )
  return (request, response) => {
    // A client that disconnects isn't an error.
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    void listener(request, response)
  }
}

/**
 * Answers every request as a relay does whose store can't be reached. For a server that waits for the store before it has a relay.
 * The rest of a body is read and dropped, so that whoever still sends it reads the answer.
 */
export function answerUnavailable(_request: IncomingMessage, response: ServerResponse): void {
  response.on('error', () => undefined)
  const answer = errorResponse(new RelayError('unavailable'))
  const headers = Object.fromEntries(answer.headers)
  void answer.text().then((text) => response.writeHead(answer.status, headers).end(text))
}
