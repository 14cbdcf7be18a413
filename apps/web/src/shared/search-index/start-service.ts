import { loadSearchModule } from './load-search-module.ts'
import type { ToPage } from './token-messages.ts'
import { TokenService } from './token-service.ts'
import { type Hearer, whenThere } from './when-there.ts'

/** The service of the tokens, which hears what it is told once its search module is there. */
export function startService(tell: (message: ToPage) => void): Hearer {
  const service = loadSearchModule().then((module) => new TokenService(tell, module))
  return whenThere(service, tell)
}
