// What is played on the landing: an agent, some files, and one grant. All of it pure; a test holds it to what the enclave says.
import type { Capability } from '../../../../shared/grant-words/sentence.ts'

/** How far it has been played. */
export const BEATS = ['ask', 'narrow', 'try', 'revoke'] as const
export type Beat = (typeof BEATS)[number]

/** What the agent may want to read. */
export const FILES = [
  '/photos/lisbon/pier.jpg',
  '/photos/lisbon/tram.jpg',
  '/photos/family/birthday.jpg',
  '/taxes/2025.pdf',
  '/passwords.txt',
] as const
export type File = (typeof FILES)[number]

/** How much is granted: everything, or what is under a path. */
export const FOLDERS = ['/', '/photos/', '/photos/lisbon/'] as const
export type Folder = (typeof FOLDERS)[number]

const HOUR = 3_600_000
/** For how long, in milliseconds. */
export const TIMES = { hour: HOUR, day: 24 * HOUR, month: 30 * 24 * HOUR } as const
export type Time = keyof typeof TIMES

export interface Draft {
  readonly folder: Folder
  readonly time: Time
}

/** What the agent asks for. */
export const ASKED: Draft = { folder: '/', time: 'month' }

/** Two DIDs whose keys nobody has kept. */
export const OWNER = 'did:key:z6MkrbMyA2v2NjPx3xATiVU3UojaGgKrBKs2PvvxSgXJLYy4'
export const AGENT = 'did:key:z6MkjSud2vcnD2sBt8S7zft2Tvq1vizqaBnwDvJ1EEZKFJx9'

/** What a grant may be used for: the command, and its policy. */
export function termsOf({ folder }: Draft): Pick<Capability, 'command' | 'policy'> {
  return { command: '/file/read', policy: folder === '/' ? [] : [['like', '.path', `${folder}*`]] }
}

/** The grant as its sentence is told. @param now milliseconds */
export function capabilityOf(draft: Draft, now: number): Capability {
  return {
    issuer: OWNER,
    audience: AGENT,
    subject: OWNER,
    ...termsOf(draft),
    expiresAt: now + TIMES[draft.time],
  }
}

/** Whether a grant of that folder lets a file be read. */
export function isOpen(folder: Folder, file: File): boolean {
  return file.startsWith(folder)
}

/** What became of one try: read, or the name that the token is refused with. */
export type Outcome = 'Read' | 'MatchError' | 'Revoked'

/** @param isRevoked a grant that is gone is refused for that, whatever is asked */
export function outcomeOf(folder: Folder, file: File, isRevoked: boolean): Outcome {
  if (isRevoked) return 'Revoked'
  return isOpen(folder, file) ? 'Read' : 'MatchError'
}
