import { Badge, type BadgeTone } from '../src/components/badge.tsx'
import { Button } from '../src/components/button.tsx'
import { Card } from '../src/components/card.tsx'
import { EmptyState } from '../src/components/empty-state.tsx'
import { Fold } from '../src/components/fold.tsx'
import { Notice, type NoticeTone } from '../src/components/notice.tsx'
import { PageHeader } from '../src/components/page-header.tsx'
import { Progress } from '../src/components/progress.tsx'
import { Slow } from '../src/components/slow.tsx'
import { Spinner } from '../src/components/spinner.tsx'

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
