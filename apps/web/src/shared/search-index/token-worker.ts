import { startService } from './start-service.ts'
import type { ToService } from './token-messages.ts'

const service = startService((message) => postMessage(message))
addEventListener('message', ({ data }: MessageEvent<ToService>) => service.hear(data))
