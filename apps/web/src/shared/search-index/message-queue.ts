import { sentRefusal, type ToPage, type ToService } from './token-messages.ts'

/** Receives the messages for the token service. */
export interface MessageQueue {
  readonly hear: (message: ToService) => void
  /** Drops what was heard, and lets nothing more be told. Settles once nothing is read any more. */
  readonly end: () => Promise<void>
}

/** Passes on messages once there is a receiver. If it fails to load, every question is refused with the reason. */
export function queueUntilLoaded(
  coming: Promise<MessageQueue>,
  tell: (message: ToPage) => void,
): MessageQueue {
  let isOver = false
  const refuse = (message: ToService, error: unknown) => {
    if (message.do === 'answer' && !isOver)
      tell({ tell: 'refusal', id: message.id, refusal: sentRefusal(error) })
  }
  return {
    hear: (message) => {
      coming.then(
        (it) => isOver || it.hear(message),
        (error: unknown) => refuse(message, error),
      )
    },
    end: async () => {
      isOver = true
      await coming.then(
        (it) => it.end(),
        () => undefined,
      )
    },
  }
}
