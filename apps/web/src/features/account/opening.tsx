import { useLingui } from '@lingui/react/macro'
import { Card } from '../../components/card.tsx'
import { Progress } from '../../components/progress.tsx'

/** While the engine starts. */
export function Opening() {
  const { t } = useLingui()
  return (
    <Card>
      <Progress label={t`Opening the vault…`} value={null} />
    </Card>
  )
}
