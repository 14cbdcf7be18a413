import { CONNECT_PATH } from './lib/connect-document.ts'
import { firstPaint } from './shell/first-paint.ts'
import { applyTheme } from './shell/stored-theme.ts'

// The page comes drawn: its colours first, and the client once it can be seen. Not awaited here: the client's scripts share this
// one's helpers, so each would wait for the other.
applyTheme()
// What an app has opened has an app waiting for it: it is fetched at once, with the page that comes last.
const isConnect = location.pathname === CONNECT_PATH
const begin = isConnect ? Promise.resolve() : firstPaint()
begin.then(() => {
  // Every page needs the frame, which `main.tsx` comes to only when it has run: both are fetched at once. What fails is said there.
  import('./lib/layout.tsx').catch(() => undefined)
  import('./main.tsx')
  if (isConnect) import('./features/connect/connect-page.tsx').catch(() => undefined)
})
