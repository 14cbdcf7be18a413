import { loadSearchModule } from './load-search-module.ts'
import { type MessageQueue, queueUntilLoaded } from './message-queue.ts'
import type { ToPage } from './token-messages.ts'
import { TokenService } from './token-service.ts'

/** The token service. It queues messages until its search module has loaded. */
export function startService(tell: (message: ToPage) => void): MessageQueue {
  const service = loadSearchModule().then((newModule) => new TokenService(tell, newModule))
  return queueUntilLoaded(service, tell)
}
