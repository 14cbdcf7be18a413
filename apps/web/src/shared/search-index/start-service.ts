import { loadSearchModule } from './load-search-module.ts'
import type { ToPage } from './token-messages.ts'
import { TokenService } from './token-service.ts'
import { type Hearer, whenThere } from './when-there.ts'

/** The token service. It queues messages until its search module has loaded. */
export function startService(tell: (message: ToPage) => void): Hearer {
  const service = loadSearchModule().then((module) => new TokenService(tell, module))
  return whenThere(service, tell)
}
