import type { ComponentProps } from 'react'

/** A text of a stranger's: whatever letters it has, they turn no other's direction, and paint over nothing beside it. */
export function Foreign(props: Omit<ComponentProps<'bdi'>, 'className'>) {
  return (
    <bdi
      {...props}
      className="wrap-anywhere inline-block max-w-full overflow-clip align-bottom [contain:paint] [unicode-bidi:isolate]"
    />
  )
}
