import { ConnectError, type Connection, connect } from '@keyhole/connect'

/** Asks to send at most ten messages per call, for a day. Call it from a click, because browsers block other windows. */
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
