import { writeAnswer } from './answer-buffer.ts'
import { followTransactions } from './ending/running-transactions.ts'
import { startService } from './start-service.ts'
import type { ToService, ToWorker } from './token-messages.ts'

/** Where answers go that fit. */
let answers: SharedArrayBuffer | undefined

const noneRuns = followTransactions(IDBDatabase.prototype)
const service = startService((message) => {
  if (answers && message.tell === 'answer' && writeAnswer(answers, message)) return
  postMessage(message)
})
addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.do === 'share') answers = data.answers
  else if (data.do === 'end') void service.end().then(noneRuns).finally(close)
  else service.hear(data satisfies ToService)
})
