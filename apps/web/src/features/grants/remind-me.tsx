import { Trans, useLingui } from '@lingui/react/macro'
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'

const permission = () => (typeof Notification === 'function' ? Notification.permission : 'denied')

/** Asks the browser to let Keyhole show a notification before grants expire. Nothing where that was decided, or can't be. */
export function RemindMe() {
  const { t } = useLingui()
  const [decided, setDecided] = useState(permission)
  if (decided !== 'default') return null
  const ask = async () => {
    const answer = await Notification.requestPermission()
    setDecided(answer)
    if (answer === 'granted') announce(t`You’ll be reminded before grants expire`)
  }
  return (
    <Button size="small" onClick={() => void ask()} icon={<Bell className="size-4" aria-hidden />}>
      <Trans>Remind me before they expire</Trans>
    </Button>
  )
}
