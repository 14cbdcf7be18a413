import { useEffect, useState } from 'react'

/** For how long something must have been in sight before it can be approved, in milliseconds: longer than a click meant for what was there before. */
const MOMENT = 800

/**
 * Whether what is to be approved has been in sight for a moment, in a window that is in front: nobody approves by a click that was meant
 * for something else. It begins anew when what is shown changes, and when the window comes to the front again.
 * @param shown what is to be approved, as text
 */
export function useArmed(shown: string): boolean {
  const [armed, setArmed] = useState<string>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const begin = () => {
      clearTimeout(timer)
      setArmed(undefined)
      if (document.visibilityState === 'visible' && document.hasFocus())
        timer = setTimeout(() => setArmed(shown), MOMENT)
    }
    begin()
    addEventListener('focus', begin)
    addEventListener('blur', begin)
    document.addEventListener('visibilitychange', begin)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', begin)
      removeEventListener('blur', begin)
      document.removeEventListener('visibilitychange', begin)
    }
  }, [shown])
  return armed === shown
}
