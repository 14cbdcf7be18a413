import { sentRefusal, type ToPage, type ToService } from './token-messages.ts'

/** What hears what the service of the tokens is told. */
export interface Hearer {
  readonly hear: (message: ToService) => void
  readonly end: () => void
}

/** Hands on what is told once the one who hears it is there. Where none comes, each question is refused with the reason. */
export function whenThere(coming: Promise<Hearer>, tell: (message: ToPage) => void): Hearer {
  const refuse = (message: ToService, error: unknown) => {
    if (message.do === 'answer') tell({ tell: 'refusal', id: message.id, refusal: sentRefusal(error) })
  }
  return {
    hear: (message) => {
      coming.then(
        (it) => it.hear(message),
        (error: unknown) => refuse(message, error),
      )
    },
    end: () => {
      coming.then(
        (it) => it.end(),
        () => undefined,
      )
    },
  }
}
