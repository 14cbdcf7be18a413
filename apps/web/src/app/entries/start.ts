import { listenAtOnce } from '../../pages/connect/channel/receive-request.ts'
import { showNotFetched } from '../../pages/connect/not-fetched.ts'
import { setHole } from '../../shared/browser/hole-state.ts'
import { applyTheme } from '../../shared/browser/stored-theme.ts'
import { takeHandedOver } from '../../shared/tokens/handed-over.ts'
import { CONNECT_PATH, DEMO_APP_PATH } from '../shell/connect-document.ts'
import { hearEarlyPresses } from '../shell/early-press.ts'
import { firstPaint } from '../shell/first-paint.ts'
import { awaitTypeface } from '../shell/typeface.ts'
import { isLanding, whenWanted } from '../shell/when-needed.ts'

// The page is prerendered: set its colours first, and load the client once the page is visible and the client is needed. Don't await here:
// the client's scripts share this script's helpers, so each would wait for the other.
applyTheme()
awaitTypeface()
if (location.pathname === CONNECT_PATH) {
  // An app is waiting. The page can receive its request at once, and showing that comes before anything that answers it.
  listenAtOnce()
  import('../../pages/connect/glance.ts')
    .then(({ showRequest }) => showRequest())
    .catch(() => undefined)
    .then(() => import('./connect.tsx'))
    .catch(showNotFetched)
} else if (location.pathname === DEMO_APP_PATH) {
  firstPaint().then(() => import('./demo-app.tsx'))
} else {
  takeHandedOver()
  hearEarlyPresses()
  const painted = firstPaint()
  if (isLanding()) {
    // The hole is half of what the landing page shows, so it doesn't wait.
    setHole({ stage: document.querySelector<HTMLElement>('[data-hole-stage]') ?? undefined })
    painted
      .then(() => import('../background/begin-hole.ts'))
      .then(
        ({ beginHole }) => beginHole(),
        () => undefined,
      )
  }
  painted.then(whenWanted).then(() => {
    // Every page needs the frame, but `main.tsx` only loads it once it runs, so load both now. main.tsx reports failures.
    import('../layout/layout.tsx').catch(() => undefined)
    import('./main.tsx')
  })
}
