import { firstPaint } from './shell/first-paint.ts'
import { applyTheme } from './shell/stored-theme.ts'

// The page comes drawn: its colours first, and the client once it can be seen. Not awaited here: the client's scripts share this
// one's helpers, so each would wait for the other.
applyTheme()
firstPaint().then(() => {
  // Every page needs the frame, which `main.tsx` comes to only when it has run: both are fetched at once. What fails is said there.
  import('./lib/layout.tsx').catch(() => undefined)
  import('./main.tsx')
})
