import { sentRefusal, type ToPage, type ToService } from './token-messages.ts'

/** Receives the messages for the token service. */
export interface MessageQueue {
  readonly hear: (message: ToService) => void
  readonly end: () => void
}

/** Passes on messages once there is a receiver. If it fails to load, every question is refused with the reason. */
export function queueUntilLoaded(
  coming: Promise<MessageQueue>,
  tell: (message: ToPage) => void,
): MessageQueue {
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
