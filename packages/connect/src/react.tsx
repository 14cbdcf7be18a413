import { type ComponentPropsWithoutRef, type ReactNode, useSyncExternalStore } from 'react'
import type { Connector, ConnectorState } from './connector.ts'

/** How things stand with a connector, made anew whenever that changes. */
export function useConnection(connector: Connector): ConnectorState {
  return useSyncExternalStore(
    connector.subscribe,
    () => connector.state,
    () => connector.state,
  )
}

export interface ConnectButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children' | 'onClick'> {
  readonly connector: Connector
  /** What it says, in each state. Default: English. */
  readonly children?: (state: ConnectorState) => ReactNode
}

/** Asks for what a connector is for, and renews it. It has no looks of its own: everything that a `button` takes is handed on. */
export function ConnectButton({ connector, children = label, ...rest }: ConnectButtonProps) {
  const state = useConnection(connector)
  return (
    // While the person is asked it stays in focus: a second press is passed over.
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
