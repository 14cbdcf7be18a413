import { useLingui } from '@lingui/react/macro'
import { Progress } from '../../shared/ui/feedback/progress.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'

/** While the engine starts. */
export function Opening() {
  const { t } = useLingui()
  return (
    <Card>
      <Progress label={t`Opening the vault…`} value={null} />
    </Card>
  )
}
