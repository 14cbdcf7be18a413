import { writeAnswer } from './answer-buffer.ts'
import { startService } from './start-service.ts'
import type { ToService, ToWorker } from './token-messages.ts'

/** Where answers go that fit. */
let answers: SharedArrayBuffer | undefined

const service = startService((message) => {
  if (answers && message.tell === 'answer' && writeAnswer(answers, message)) return
  postMessage(message)
})
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.do === 'share') answers = data.answers
  else service.hear(data satisfies ToService)
})
