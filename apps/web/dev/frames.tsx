import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { Button } from '../src/shared/ui/buttons/button.tsx'
import { Notice } from '../src/shared/ui/feedback/notice.tsx'
import { AppFrame } from '../src/shared/ui/layout/app-frame.tsx'
import { Card } from '../src/shared/ui/layout/card.tsx'
import { PageHeader } from '../src/shared/ui/layout/page-header.tsx'
import { WindowFrame } from '../src/shared/ui/layout/window-frame.tsx'

const account = <Button size="small">Unlock</Button>
const palette = <Button size="small">Find</Button>
const page = <PageHeader title="A page">The one sentence that says what it is for.</PageHeader>

/** The frames that a page or a window can have, by their names in the address. */
const FRAMES = {
  app: (
    <AppFrame
      palette={palette}
      account={account}
      notices={<Notice tone="warn" title="What the page has to be told of" />}
    >
      {page}
    </AppFrame>
  ),
  stage: (
    <AppFrame palette={palette} account={account} onStage>
      <div className="on-band px-4 py-16">{page}</div>
    </AppFrame>
  ),
  window: <WindowFrame account={account}>{page}</WindowFrame>,
}

/** One frame alone, with links that lead nowhere. Undefined if the address asks for none. */
export function frameOf(name: string | null) {
  const frame = Object.entries(FRAMES).find(([each]) => each === name)?.[1]
  if (frame === undefined) return undefined
  const router = createRouter({
    routeTree: createRootRoute({ component: () => frame }),
    history: createMemoryHistory(),
  })
  return <RouterProvider router={router} />
}

/** The way to each frame: it takes a whole window. */
export function Frames() {
  return (
    <Card title="Frames" description="Each in a window of its own, with its navigation, theme and language.">
      <ul className="flex gap-4">
        {Object.keys(FRAMES).map((name) => (
          <li key={name}>
            <a href={`?frame=${name}`} className="underline underline-offset-4">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
