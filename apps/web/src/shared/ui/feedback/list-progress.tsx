import { useLingui } from '@lingui/react/macro'
import { Progress } from './progress.tsx'
import { Slow } from './slow.tsx'

/** While a list is being read, once that takes a while. */
export function ListProgress() {
  const { t } = useLingui()
  return (
    <Slow>
      <Progress label={t`Reading what is stored…`} value={null} />
    </Slow>
  )
}
