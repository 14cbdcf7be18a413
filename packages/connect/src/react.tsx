'use client'

import { type ComponentPropsWithoutRef, type ReactNode, useSyncExternalStore } from 'react'
import type { Connector, ConnectorState } from './connector.ts'

/** A connector's state. Renders again when it changes. */
export function useConnection(connector: Connector): ConnectorState {
  return useSyncExternalStore(
    connector.subscribe,
    () => connector.state,
    () => connector.state,
  )
}

export interface ConnectButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children' | 'onClick'> {
  readonly connector: Connector
  /** The label for each state. Default: English. */
  readonly children?: (state: ConnectorState) => ReactNode
}

/** A button that asks for a connector's grant, and renews it. It is unstyled, and passes on all props of a `button`. */
export function ConnectButton({ connector, children = label, ...rest }: ConnectButtonProps) {
  const state = useConnection(connector)
  return (
    // While the person is asked it keeps focus, and ignores further presses.
    <button
      type="button"
      aria-busy={state.status === 'asking'}
      data-status={state.status}
      {...rest}
      onClick={() => void connector.connect()}
    >
      {children(state)}
    </button>
  )
}

function label({ status }: ConnectorState): string {
  if (status === 'asking') return 'Waiting for your vault…'
  if (status === 'connected') return 'Connected'
  return status === 'expiring' ? 'Renew' : 'Connect your vault'
}
