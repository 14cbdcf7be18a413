import type { ToService } from './token-messages.ts'
import { TokenService } from './token-service.ts'

const service = new TokenService((message) => postMessage(message))
addEventListener('message', ({ data }: MessageEvent<ToService>) => service.hear(data))
