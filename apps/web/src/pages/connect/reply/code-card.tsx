import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { visible } from '../../../shared/text/visible.ts'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { ForeignQuote } from '../../../shared/ui/text/foreign.tsx'
import { shortCode } from './short-code.ts'

interface CodeCardProps {
  /** The request's text. */
  text: string
  /** What the asker calls itself. */
  name: string | undefined
}

/** The short code of a request, to compare with the one that the asker shows, and the asker's own name in quotes. */
export function CodeCard({ text, name = '' }: CodeCardProps) {
  const { t } = useLingui()
  const { data } = useQuery({
    queryKey: ['short-code', text],
    queryFn: () => shortCode(text),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const said = visible(name.trim())
  return (
    <Card title={t`Compare the code`}>
      <div className="flex flex-col gap-3">
        <p className="min-h-8 font-mono text-2xl tracking-wide" data-testid="short-code">
          {data}
        </p>
        <p className="text-sm">
          <Trans>
            The program that asked shows the same code. If it shows another one, or you can’t see it, someone
            may have changed the request: decline.
          </Trans>
        </p>
        {said === '' ? null : (
          <p className="text-sm">
            <span className="text-ink-faint">
              <Trans>It calls itself:</Trans>
            </span>{' '}
            <ForeignQuote>{said}</ForeignQuote>
          </p>
        )}
      </div>
    </Card>
  )
}
