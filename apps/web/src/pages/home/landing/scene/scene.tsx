import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../shared/ui/buttons/button.tsx'
import { ErrorBoundary } from '../../../../shared/ui/layout/error-boundary.tsx'
import { AgentSays, Stage } from './stage.tsx'

const load = () => import('./play.tsx')
const Play = lazy(load)

interface SceneProps {
  /** Told when something is open to the agent, and when nothing is. */
  onOpen: (isOpen: boolean) => void
}

/** A scene in four beats. Its first is drawn with the page; the others come when it is near, or is played. */
export function Scene({ onOpen }: SceneProps) {
  const [begun, setBegun] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = place.current
    if (!box) return
    const near = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      near.disconnect()
      // What fails is tried again when it is played.
      load().catch(() => undefined)
    })
    near.observe(box)
    return () => near.disconnect()
  }, [])
  const asking = (
    <Stage beat="ask">
      <Asking onAnswer={() => setBegun(true)} isBusy={begun} />
    </Stage>
  )
  return (
    <div ref={place}>
      {begun ? (
        <ErrorBoundary
          fallback={
            <Stage beat="ask">
              <NotHere />
            </Stage>
          }
        >
          <Suspense fallback={asking}>
            <Play onOpen={onOpen} onAgain={() => setBegun(false)} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        asking
      )}
    </div>
  )
}

function Asking({ onAnswer, isBusy }: { onAnswer: () => void; isBusy: boolean }) {
  return (
    <>
      <AgentSays>
        <Trans>
          I’ll plan your trip to Lisbon. Give me your password, and I’ll look through your files for ideas.
        </Trans>
      </AgentSays>
      <p className="max-w-prose text-ink-soft text-sm">
        <Trans>A password opens everything, for as long as it works. Give it less.</Trans>
      </p>
      <Button tone="primary" onClick={onAnswer} busy={isBusy}>
        <Trans>Give it a grant instead</Trans>
      </Button>
    </>
  )
}

function NotHere() {
  return (
    <p className="text-ink-soft">
      <Trans>The rest of this scene couldn’t be loaded. Check your connection and reload the page.</Trans>
    </p>
  )
}
