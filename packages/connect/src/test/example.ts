import { ConnectError, requestCapability } from '@keyhole/connect'

/** Asks for the right to send at most ten messages a call, for a day. Call it from a click: browsers open no window else. */
export async function connect(vault: string, audience: string): Promise<string | undefined> {
  try {
    return await requestCapability({
      vault,
      audience,
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
