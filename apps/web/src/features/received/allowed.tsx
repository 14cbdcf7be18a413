import { useMemo } from 'react'
import { VerdictView } from '../policy/try-call.tsx'
import { useVerdict } from '../policy/use-verdict.ts'
import type { Basis } from './use-basis.ts'

interface AllowedProps {
  basis: Basis
  command: string
  /** The same object until they change. */
  args: Readonly<Record<string, unknown>>
}

/** Whether a request would be allowed as it stands: decided by the same code that will validate it. */
export function Allowed({ basis, command, args }: AllowedProps) {
  const call = useMemo(() => ({ command, args }), [command, args])
  return <VerdictView verdict={useVerdict(basis.links, call)} />
}
