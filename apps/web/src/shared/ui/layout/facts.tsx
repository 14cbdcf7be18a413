import type { ReactNode } from 'react'

interface FactsProps {
  facts: readonly (readonly [name: string, value: ReactNode] | undefined)[]
}

/** Names and values, side by side where there is room. Absent ones are left out. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="grid grid-cols-1 items-baseline gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_minmax(0,1fr)] sm:gap-y-2.5">
      {facts.map((fact) =>
        fact === undefined ? null : (
          <div key={fact[0]} className="contents">
            <dt className="text-ink-faint max-sm:mt-1">{fact[0]}</dt>
            <dd className="min-w-0 wrap-anywhere">{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
