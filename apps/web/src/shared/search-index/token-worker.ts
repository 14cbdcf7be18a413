import type { ToKeeper } from './token-messages.ts'
import { TokenKeeper } from './token-service.ts'

const keeper = new TokenKeeper((message) => postMessage(message))
addEventListener('message', ({ data }: MessageEvent<ToKeeper>) => keeper.hear(data))
