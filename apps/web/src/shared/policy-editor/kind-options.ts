import { useLingui } from '@lingui/react/macro'
import type { NodeKind } from './node.ts'

/** The kinds of limits to choose from. */
export function useKindOptions(): { value: NodeKind; label: string }[] {
  const { t } = useLingui()
  return [
    { value: '==', label: t`is` },
    { value: '!=', label: t`is not` },
    { value: '<=', label: t`is at most` },
    { value: '<', label: t`is less than` },
    { value: '>=', label: t`is at least` },
    { value: '>', label: t`is more than` },
    { value: 'like', label: t`fits the pattern` },
    { value: 'and', label: t`all of these are true` },
    { value: 'or', label: t`at least one is true` },
    { value: 'not', label: t`this is not true` },
    { value: 'all', label: t`every item of a list` },
    { value: 'any', label: t`at least one item of a list` },
  ]
}
