import { Button } from '../src/shared/ui/buttons/button.tsx'
import { Spinner } from '../src/shared/ui/buttons/spinner.tsx'
import { Badge, type BadgeTone } from '../src/shared/ui/feedback/badge.tsx'
import { Notice, type NoticeTone } from '../src/shared/ui/feedback/notice.tsx'
import { Progress } from '../src/shared/ui/feedback/progress.tsx'
import { Slow } from '../src/shared/ui/feedback/slow.tsx'
import { Card } from '../src/shared/ui/layout/card.tsx'
import { EmptyState } from '../src/shared/ui/layout/empty-state.tsx'
import { Fold } from '../src/shared/ui/layout/fold.tsx'
import { PageHeader } from '../src/shared/ui/layout/page-header.tsx'

const BADGES: readonly BadgeTone[] = ['plain', 'good', 'warn', 'bad', 'brass']
const NOTICES: readonly NoticeTone[] = ['plain', 'good', 'warn', 'bad']

/** How things stand. */
export function States() {
  return (
    <Card title="States">
      <div className="flex flex-col gap-4">
        <PageHeader title="A page" actions={<Button>Act</Button>}>
          The one sentence that says what it is for.
        </PageHeader>
        <div className="flex flex-wrap gap-2">
          {BADGES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
        {NOTICES.map((tone) => (
          <Notice
            key={tone}
            tone={tone}
            title={`A ${tone} notice`}
            actions={<Button size="small">Act</Button>}
          >
            What there is to know, and what to do.
          </Notice>
        ))}
        <Fold title="What not everybody asks for">Shown on request.</Fold>
        <Fold title="What there is something wrong in" open>
          Shown from the start.
        </Fold>
        <Progress label="Checking 1,000 tokens" value={40} />
        <Progress label="Opening" value={null} />
        <Slow>
          <p className="flex items-center gap-2">
            <Spinner /> Shown after 300 ms
          </p>
        </Slow>
        <EmptyState title="Nothing here yet" actions={<Button tone="primary">Begin</Button>}>
          Why, and what to do first.
        </EmptyState>
      </div>
    </Card>
  )
}
