import { ActivityLog } from '../activity/activity-log.ts'
import { systemClock } from '../base/clock.ts'
import type { VaultConfig, VaultDependencies } from '../base/config.ts'
import { refused, type VaultError } from '../base/errors.ts'
import type { VaultEvents } from '../base/events.ts'
import { browserValues, memoryValues } from '../base/local-values.ts'
import type { AccountAct, ClientAct, ClientListener } from '../client/client-listener.ts'
import type { TakenAccount } from '../client/open-account.ts'
import { VaultClient } from '../client/vault-client.ts'
import { ACTS } from './acts.ts'
import { Attempts } from './attempts.ts'
import { AutoLock } from './auto-lock.ts'
import { Changes } from './changes.ts'
import { VaultContext } from './context.ts'
import { Following } from './following.ts'
import { Locking } from './locking.ts'
import type { AccountInfo } from './snapshot.ts'
import { Channels } from './tabs/channels.ts'
import { OpenTabs } from './tabs/open-tabs.ts'

/** The context, and the parts that work on the open account. */
export interface VaultParts {
  readonly context: VaultContext
  readonly changes: Changes
  readonly locking: Locking
  readonly following: Following
  readonly openTabs: OpenTabs
  /** Where page events come from: the window, if there is one. */
  readonly page: EventTarget | undefined
}

/** What is behind a vault. */
export interface BehindVault {
  readonly parts: VaultParts
  readonly life: {
    /** Runs changes of the open account one at a time. */
    alone<T>(work: () => Promise<T>): Promise<T>
    /** Makes an account that its enclave has open the active one, with a line of the log. */
    take(account: TakenAccount, act: string): Promise<AccountInfo>
  }
}

/** What is behind each vault, for the parts of this package that are loaded on their own. */
export const behindVaults = new WeakMap<EventTarget, BehindVault>()

/** What only the vault itself can do. */
export interface VaultHooks {
  /** Opens an account that another tab created or restored, if this browser had none. */
  takeUp(): Promise<void>
  /** Updates this layer after a direct call to the client changed the account. */
  followClient(act: AccountAct): Promise<void>
}

/** Creates the parts and connects those that call each other. Nothing runs before `initialize`. */
export function makeParts(
  config: VaultConfig,
  dependencies: VaultDependencies,
  events: VaultEvents,
  hooks: VaultHooks,
): VaultParts {
  const clock = dependencies.clock ?? systemClock
  const page = dependencies.page ?? globalThis.window
  const values = (config.enablePersistence ?? true) ? browserValues() : memoryValues()
  const log = new ActivityLog(clock, values)
  const attempts = new Attempts(clock, values)
  const channels = new Channels()
  const autoLock = new AutoLock(clock, values, {
    lock: async () =>
      locking.lock('idle').catch((error) => {
        context.report(error, 'lock')
        throw error
      }),
    warn: (locksAt) => context.warn(locksAt),
    tell: (usedAt) => channels.postUse(usedAt),
  })
  const client = new VaultClient(config, dependencies, clientListener())
  const context = new VaultContext({
    client,
    config,
    events,
    clock,
    log,
    autoLock,
    channels,
    attempts,
    acts: ACTS,
  })
  const changes = new Changes(context)
  const openTabs = new OpenTabs(log.tab, clock, {
    changed: (tabs) => context.showTabs(tabs),
    ended: (address) => void following.endedElsewhere(address),
  })
  const following = new Following(context, openTabs, page, hooks.takeUp)
  const locking = new Locking(context, changes, following)
  return { context, changes, locking, following, openTabs, page }

  function clientListener(): ClientListener {
    return {
      expired: () => context.tokensChanged(),
      acted,
      restored: () => {
        context.tokensChanged()
        context.changed('sessions')
      },
      expire: (about, batch) => changes.expire(about, batch),
      unreadable: ({ store, id }) => context.raiseUnreadable(store, id),
      reconciled: ({ brought, damaged }) => {
        if (brought > 0) {
          context.tokensChanged()
          context.changed('contacts')
          context.changed('templates')
          context.changed('handovers')
        }
        for (const id of damaged) context.raise(damagedCopyError(id), 'mirror')
      },
      released: (why) => {
        if (why === 'deleted') void following.removedElsewhere()
        else context.fail(newerVersionError())
      },
    }
  }

  /** A direct call to the client shows here as if it had been made in this layer. */
  async function acted(act: ClientAct): Promise<void> {
    if (act.type !== 'stored') {
      if (!context.isLeading) await hooks.followClient(act)
    } else if (act.what === 'tokens') context.tokensChanged()
    else if (act.what === 'accounts') await context.accountsChanged()
    else context.changed(act.what)
  }
}

function damagedCopyError(id: string): VaultError {
  return refused('CopyPartDamaged', { id }, { details: { store: 'mirror', id } })
}

function newerVersionError(): VaultError {
  return refused('NewerTab')
}
