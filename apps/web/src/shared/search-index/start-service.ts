import { loadSearchModule } from './load-search-module.ts'
import { sentRefusal, type ToPage, type ToService } from './token-messages.ts'
import { TokenService } from './token-service.ts'

/** The service of the tokens, which hears what it is told once its search module is there. */
export function startService(tell: (message: ToPage) => void): Pick<TokenService, 'hear' | 'end'> {
  const service = loadSearchModule().then((module) => new TokenService(tell, module))
  const refuse = (message: ToService, error: unknown) => {
    if (message.do === 'answer') tell({ tell: 'refusal', id: message.id, refusal: sentRefusal(error) })
  }
  return {
    hear: (message) => {
      service.then(
        (it) => it.hear(message),
        (error: unknown) => refuse(message, error),
      )
    },
    end: () => {
      service.then(
        (it) => it.end(),
        () => undefined,
      )
    },
  }
}
