import { ConnectError, type Connection, connect } from '@keyhole/connect'

/** Asks for the right to send at most ten messages a call, for a day. Call it from a click: browsers open no window else. */
export async function connectVault(vault: string): Promise<Connection | undefined> {
  try {
    return await connect({
      vault,
      command: '/msg/send',
      policy: [['<=', '.count', 10]],
      expiresIn: 86_400,
      reason: 'To send the invitations of your calendar',
    })
  } catch (error) {
    if (error instanceof ConnectError && error.code === 'DECLINED') return undefined
    throw error
  }
}
