import { listenAtOnce } from '../../pages/connect/channel/hearing.ts'
import { showNotFetched } from '../../pages/connect/not-fetched.ts'
import { setHole } from '../../shared/browser/hole.ts'
import { applyTheme } from '../../shared/browser/stored-theme.ts'
import { CONNECT_PATH, DEMO_APP_PATH } from '../shell/connect-document.ts'
import { hearEarlyPresses } from '../shell/early-press.ts'
import { firstPaint } from '../shell/first-paint.ts'
import { awaitTypeface } from '../shell/typeface.ts'
import { isLanding, whenWanted } from '../shell/wanted.ts'

// The page comes drawn: its colours first, and the client once it can be seen and is wanted. Not awaited here: the client's scripts share this
// one's helpers, so each would wait for the other.
applyTheme()
awaitTypeface()
if (location.pathname === CONNECT_PATH) {
  // An app waits for it: it can be asked at once, and what it asks comes before everything that answers it.
  listenAtOnce()
  import('../../pages/connect/glance.ts')
    .then(({ showRequest }) => showRequest())
    .catch(() => undefined)
    .then(() => import('./connect.tsx'))
    .catch(showNotFetched)
} else if (location.pathname === DEMO_APP_PATH) {
  firstPaint().then(() => import('./demo-app.tsx'))
} else {
  hearEarlyPresses()
  const painted = firstPaint()
  if (isLanding()) {
    // It is half of what the landing shows: it waits for nobody.
    setHole({ stage: document.querySelector<HTMLElement>('[data-hole-stage]') ?? undefined })
    painted
      .then(() => import('../background/begin-hole.ts'))
      .then(
        ({ beginHole }) => beginHole(),
        () => undefined,
      )
  }
  painted.then(whenWanted).then(() => {
    // Every page needs the frame, which `main.tsx` comes to only when it has run: both are fetched at once. What fails is said there.
    import('../layout/layout.tsx').catch(() => undefined)
    import('./main.tsx')
  })
}
