import { Plural } from '@lingui/react/macro'

/** The last item of a list that shows only some: how many more there are. Nothing if that is none. */
export function AndMore({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <li>
      <Plural value={count} one="and # more" other="and # more" />
    </li>
  )
}
