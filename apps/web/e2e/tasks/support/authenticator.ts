import type { CDPSession, Page } from '@playwright/test'

interface AuthenticatorOptions {
  /** Whether it supports the PRF extension. Default true. */
  readonly prf?: boolean
  /** Built in or plugged in. A page has at most one that is built in. Default internal. */
  readonly transport?: 'internal' | 'usb'
}

/** A page's virtual authenticator. It survives reloads. */
export interface Authenticator {
  /** Whether its owner touches it when asked. Otherwise it waits. */
  touches(yes: boolean): Promise<void>
  /** Whether it recognises its owner's finger. Otherwise it refuses. */
  recognises(yes: boolean): Promise<void>
  /** How many passkeys it has. */
  passkeys(): Promise<number>
  remove(): Promise<void>
}

const sessions = new WeakMap<Page, CDPSession>()

async function sessionOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page)
  if (known) return known
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  sessions.set(page, session)
  return session
}

/** Gives a page an authenticator that answers automatically, as if its owner touched it at once. */
export async function addAuthenticator(
  page: Page,
  { prf = true, transport = 'internal' }: AuthenticatorOptions = {},
): Promise<Authenticator> {
  const session = await sessionOf(page)
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: prf,
      automaticPresenceSimulation: true,
    },
  })
  return {
    touches: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    recognises: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    passkeys: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    remove: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
