import { Button } from '../src/shared/ui/buttons/button.tsx'
import { Spinner } from '../src/shared/ui/buttons/spinner.tsx'
import { Badge, type BadgeTone } from '../src/shared/ui/feedback/badge.tsx'
import { Failure } from '../src/shared/ui/feedback/failure.tsx'
import { ListProgress } from '../src/shared/ui/feedback/list-progress.tsx'
import { Notice, type NoticeTone } from '../src/shared/ui/feedback/notice.tsx'
import { Progress } from '../src/shared/ui/feedback/progress.tsx'
import { Result } from '../src/shared/ui/feedback/result.tsx'
import { Skeleton } from '../src/shared/ui/feedback/skeleton.tsx'
import { Slow } from '../src/shared/ui/feedback/slow.tsx'
import { TextField } from '../src/shared/ui/fields/text-field.tsx'
import { Card } from '../src/shared/ui/layout/card.tsx'
import { EmptyState } from '../src/shared/ui/layout/empty-state.tsx'
import { ErrorBoundary } from '../src/shared/ui/layout/error-boundary.tsx'
import { Fold } from '../src/shared/ui/layout/fold.tsx'
import { Form, FormEnd } from '../src/shared/ui/layout/form.tsx'
import { PageHeader } from '../src/shared/ui/layout/page-header.tsx'
import { Foreign, ForeignQuote } from '../src/shared/ui/text/foreign.tsx'

const BADGES: readonly BadgeTone[] = ['plain', 'good', 'warn', 'bad']
const BADGE_WORDS: Record<BadgeTone, string> = {
  plain: 'revoked',
  good: 'expires in 29 days',
  warn: 'expires in 2 hours',
  bad: 'failed',
}
const NOTICES: readonly NoticeTone[] = ['plain', 'good', 'warn', 'bad']

/** A part that can't be drawn. */
function Broken(): never {
  throw new Error('drawn to fail')
}

/** Empty, loading, failed and other states. */
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
              {BADGE_WORDS[tone]}
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
        <Failure error={new Error('What a library said')} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Card raised level={3} title="One thing" description="A card that stands out from the page.">
            What is about to be signed, say.
          </Card>
          <Card level={3} title="A part of a part" actions={<Button size="small">Act</Button>}>
            Ruled off from what is above it.
          </Card>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          {[false, true].map((pending) => (
            <Form key={String(pending)} onSubmit={() => undefined}>
              <TextField label="A field of a form" value="" onValueChange={() => undefined} />
              <FormEnd
                action={{ pending, error: pending ? undefined : new Error('no') }}
                onStop={() => undefined}
              >
                Hand it in
              </FormEnd>
            </Form>
          ))}
        </div>
        <p>
          A stranger’s word: <Foreign>‮evil‬ and much more of it</Foreign>
        </p>
        <ForeignQuote>A stranger’s sentence, in a line of its own.</ForeignQuote>
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
        <Skeleton rows={2} />
        <ListProgress />
        <Result>
          <Notice tone="good" title="Signed and stored">
            It has the focus.
          </Notice>
        </Result>
        <ErrorBoundary fallback={<Failure error={new Error('It could not be drawn')} />}>
          <Broken />
        </ErrorBoundary>
        <EmptyState title="Nothing here yet" actions={<Button tone="primary">Begin</Button>}>
          Why, and what to do first.
        </EmptyState>
      </div>
    </Card>
  )
}
