import { t } from '@lingui/core/macro'

/** What the engine said, in the person's words and language, and where that does not say it: what to do. */
export interface Said {
  readonly words: string
  readonly advice?: string
}

/**
 * Refusals of what a person has given, which carry no name of their own: they are known by their text. One that is not here is
 * shown as the engine said it.
 */
export function engineWords(message: string): Said | undefined {
  return ofBackup(message) ?? ofRecoveryCode(message) ?? ofPhrase(message) ?? ofToken(message)
}

function ofBackup(message: string): Said | undefined {
  const whole = t`Choose the file again, whole, as Keyhole wrote it, or another copy of it. Nothing was changed.`
  if (/^This backup is damaged: .* Try another copy of the file\.$/.test(message)) {
    return { words: t`This backup is damaged.`, advice: whole }
  }
  switch (message) {
    case 'This is no Keyhole backup, or it is cut off.':
      return { words: t`This is no Keyhole backup, or it is cut off.`, advice: whole }
    case 'This backup holds records that cannot be read. Nothing was imported.':
      return { words: t`This backup holds records that cannot be read.`, advice: whole }
    case 'A backup is at most 64 MiB long.':
      return { words: t`This is too long to be a Keyhole backup.`, advice: whole }
    case 'This is no Keyhole backup, or one of a version that needs a newer Keyhole.':
      return {
        words: t`This is no Keyhole backup, or one of a version that needs a newer Keyhole.`,
        advice: t`Choose another file, or restore it where Keyhole is up to date. Nothing was changed.`,
      }
    case 'This backup was made by a newer version of Keyhole. Update this one, then import it.':
      return {
        words: t`This backup was made by a newer version of Keyhole.`,
        advice: t`Choose another file, or restore it where Keyhole is up to date. Nothing was changed.`,
      }
    case 'This is the backup of another account. Lock this one first, then restore the backup beside it.':
      return {
        words: t`This is the backup of another account.`,
        advice: t`Lock this one first, then restore the backup beside it.`,
      }
    case 'This backup is of another account.':
      return {
        words: t`This is the backup of another account.`,
        advice: t`Choose one of the account that is open.`,
      }
    case 'This account is in this browser already. Open it and unlock it, then import.':
      return {
        words: t`This account is in this browser already.`,
        advice: t`Open it and unlock it, then merge the backup in.`,
      }
  }
  return undefined
}

function ofRecoveryCode(message: string): Said | undefined {
  const advice = t`Compare it with what was kept. Nothing is lost by trying.`
  switch (message) {
    case 'A character of the recovery code is mistyped: compare it with what was kept.':
      return { words: t`A character of the recovery code is mistyped.`, advice }
    case 'A recovery code has 27 characters: some are missing, or there are too many.':
      return {
        words: t`A recovery code has 27 characters: some are missing, or there are too many.`,
        advice,
      }
  }
  return undefined
}

function ofPhrase(message: string): Said | undefined {
  const [, count] = /^A phrase has 12, 15, 18, 21 or 24 words, and this one has (\d+): /.exec(message) ?? []
  if (count !== undefined) {
    return {
      words: t`A phrase has 12, 15, 18, 21 or 24 words, and this one has ${count}.`,
      advice: t`Look whether one is missing, or there twice.`,
    }
  }
  const [, place] = /^Word (\d+) is not on the English list of BIP-39: /.exec(message) ?? []
  if (place !== undefined) {
    return {
      words: t`Word ${place} is not on the English list of BIP-39.`,
      advice: t`It may be mistyped: compare it with what was kept.`,
    }
  }
  if (message.startsWith('The words do not fit each other: ')) {
    return {
      words: t`The words do not fit each other.`,
      advice: t`One is another of the list, or two have changed places.`,
    }
  }
  return undefined
}

/** A malformed token has advice of its own, by its name. */
function ofToken(message: string): Said | undefined {
  switch (message) {
    case 'The tokens could not be read. Reload the page.':
      return { words: t`The tokens could not be read. Reload the page.` }
    case 'This container of tokens is damaged, cut off, or too large when unpacked.':
      return { words: t`This container of tokens is damaged, cut off, or too large when unpacked.` }
    case 'This container of tokens is too large.':
      return { words: t`This container of tokens is too large.` }
    case 'This is no container of tokens.':
      return { words: t`This is no container of tokens.` }
    case 'This container has too many tokens.':
      return { words: t`This container has too many tokens.` }
    case 'There is nothing in this container.':
      return { words: t`There is nothing in this container.` }
    case 'This token has a letter that does not belong, or was cut off.':
      return { words: t`This token has a letter that does not belong, or was cut off.` }
    case 'This is no token: it is neither a container nor a token in base64, base64url or hex, or it was cut off.':
      return {
        words: t`This is no token: it is neither a container nor a token in base64, base64url or hex, or it was cut off.`,
      }
    case 'This text is too long to be a token.':
      return { words: t`This text is too long to be a token.` }
    case 'There is no token here.':
      return { words: t`There is no token here.` }
    case 'This token is not a delegation, so it cannot be kept here.':
      return { words: t`This token is not a delegation, so it cannot be kept here.` }
    case 'This text holds no delegation.':
      return { words: t`This text holds no delegation.` }
    case 'This is a JWT, as UCAN used before version 1.0. Keyhole reads UCAN 1.0.0: ask its issuer for a new one.':
      return {
        words: t`This is a JWT, as UCAN used before version 1.0. Keyhole reads UCAN 1.0.0: ask its issuer for a new one.`,
      }
  }
  return undefined
}
