import { useMemo } from 'react'
import { VerdictView } from '../../shared/policy-editor/try-call.tsx'
import { useVerdict } from '../../shared/policy-editor/use-verdict.ts'
import type { Basis } from '../../shared/tokens/use-basis.ts'

interface AllowedProps {
  basis: Basis
  command: string
  /** The same object until the arguments change. */
  args: Readonly<Record<string, unknown>>
}

/** Whether the request would be allowed as it is. The same code decides that will later validate it. */
export function Allowed({ basis, command, args }: AllowedProps) {
  const call = useMemo(() => ({ command, args }), [command, args])
  return <VerdictView verdict={useVerdict(basis.links, call)} />
}
