import { TokenKeeper } from './token-keeper.ts'
import type { ToKeeper } from './token-messages.ts'

const keeper = new TokenKeeper((message) => postMessage(message))
addEventListener('message', ({ data }: MessageEvent<ToKeeper>) => keeper.hear(data))
