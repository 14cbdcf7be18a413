import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { engineWords } from './engine.ts'
import { PASSKEY_REFUSALS } from './passkey.ts'
import { PAYMENT_REFUSALS } from './payment-refusals.ts'
import { moment } from './when.ts'
import { shorten } from './who.ts'

/** A refusal in the person's words: what happened, and what to do about it. */
export interface Explained {
  title: string
  advice: string
}

/** The same before it is put into the language of the moment. */
interface Told {
  title: MessageDescriptor
  advice: MessageDescriptor
}

function tell({ title, advice }: Told): Explained {
  return { title: i18n._(title), advice: i18n._(advice) }
}

const BY_TOKEN_NAME: Readonly<Record<string, Told>> = {
  MalformedToken: {
    title: msg`This cannot be read as a token.`,
    advice: msg`It may have been cut or changed on its way. Ask for it again and paste all of it, from the first letter to the last.`,
  },
  UnsupportedVersion: {
    title: msg`This token is of a version that Keyhole does not read.`,
    advice: msg`Keyhole reads UCAN 1.0.0. Ask whoever made it for one of that version.`,
  },
  InvalidSignature: {
    title: msg`A signature does not fit.`,
    advice: msg`The token was changed after it was signed, or signed by another key than the one it names. Do not rely on it.`,
  },
  Expired: {
    title: msg`It has expired.`,
    advice: msg`Ask whoever granted it for a new one, or choose an end that is still to come.`,
  },
  TooEarly: {
    title: msg`It is not valid yet.`,
    advice: msg`It has a start that is still to come. Try again after that moment.`,
  },
  InvalidAudience: {
    title: msg`It was made out to someone else.`,
    advice: msg`Only the holder of the DID it names as audience can use it or pass it on. Check which of your keys it was given to.`,
  },
  InvalidSubject: {
    title: msg`The chain is about different subjects.`,
    advice: msg`Each link must be about what the first one granted. The token cannot be used as it is.`,
  },
  InvalidCommand: {
    title: msg`It asks for more than was granted.`,
    advice: msg`Choose a command that stands under the one that was granted: /msg/send stands under /msg.`,
  },
  InvalidClaim: {
    title: msg`It claims more than the chain gives.`,
    advice: msg`What is passed on must come from its owner, and stay within what was given.`,
  },
  UnavailableProof: {
    title: msg`A link of the chain is missing.`,
    advice: msg`Ask for the token with all of its proofs: Keyhole’s own texts always carry them.`,
  },
  MatchError: {
    title: msg`A limit of the grant is not met.`,
    advice: msg`What is asked lies outside the policy of the chain.`,
  },
  Revoked: {
    title: msg`It was revoked.`,
    advice: msg`Whoever granted it took it back. Ask them for a new one.`,
  },
  RevocationUnknown: {
    title: msg`Whether it was revoked cannot be told.`,
    advice: msg`Somebody who may revoke it seems to have, and that cannot be checked now. Do not rely on it until it can; ask whoever granted it.`,
  },
  TooMuchWork: {
    title: msg`It takes too much work to check.`,
    advice: msg`It is much longer or more tangled than it needs to be, so it was not checked to the end: whether it holds is not known. Do not rely on it, and ask for a simpler one.`,
  },
  OpenFromCopy: {
    title: msg`This vault is open from its second copy.`,
    advice: msg`Nothing can be changed or saved here until the browser opens its database again. Write a backup, and restore it in another browser.`,
  },
  Replayed: { title: msg`It was used before.`, advice: msg`Each request counts once. Ask for a new one.` },
}

const BY_CODE: Readonly<Record<string, Told>> = {
  VAULT_NOT_INITIALIZED: {
    title: msg`No account is open.`,
    advice: msg`Create one, or restore one from a backup file.`,
  },
  NOT_INITIALIZED: {
    title: msg`The vault is not ready yet.`,
    advice: msg`Wait a moment and do it again. If it stays so, reload the page.`,
  },
  VAULT_ALREADY_INITIALIZED: {
    title: msg`An account is open already.`,
    advice: msg`Lock it, or switch to the other account first.`,
  },
  VAULT_LOCKED: {
    title: msg`The vault is locked.`,
    advice: msg`Unlock it and do it again. What you typed is still here.`,
  },
  KEY_NOT_FOUND: {
    title: msg`This account has no such key.`,
    advice: msg`It may have been deleted in another tab, or the token belongs to another account.`,
  },
  INVALID_KEY_TYPE: {
    title: msg`Keyhole has no keys of this type.`,
    advice: msg`Choose Ed25519, P-256 or secp256k1.`,
  },
  INVALID_PASSPHRASE: {
    title: msg`This passphrase does not open it.`,
    advice: msg`Check Caps Lock and the keyboard’s language, and type it again. Nothing is lost by trying.`,
  },
  WASM_NOT_LOADED: {
    title: msg`The vault’s engine did not load.`,
    advice: msg`Check the connection and reload the page. Your vault is untouched.`,
  },
  TIMEOUT: {
    title: msg`It took too long and was given up.`,
    advice: msg`Close other heavy tabs and try again. Nothing was changed.`,
  },
}

/** What of an error is looked at: anything may be thrown, so nothing is taken for granted. */
interface Seen {
  code: string
  name: string
  message: string
  /** Whether it was refused as a value: a fault of the program is thrown, and a reason is caught with it. */
  refused: boolean
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value ? Reflect.get(value, key) : undefined
}

function text(...values: unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? ''
}

function look(error: unknown): Seen {
  const details = field(error, 'details')
  const cause = field(error, 'cause')
  return {
    code: text(field(error, 'code')),
    // An Error's own name says VaultError or DOMException; the token's refusal stands in the details.
    name: text(field(details, 'name'), field(cause, 'name'), field(error, 'name')),
    // What the engine said underneath tells more than what was being done.
    message: text(
      field(details, 'reason'),
      field(error, 'message'),
      field(error, 'error'),
      typeof error === 'string' ? error : '',
    ),
    refused: text(field(details, 'code')) !== '' && field(details, 'reason') === undefined,
  }
}

/** What a refused token is called, in words; undefined for a name that is not one of the token errors. */
export function tokenRefusal(name: string): Explained | undefined {
  const told = BY_TOKEN_NAME[name]
  return told && tell(told)
}

/** Any error in the person's words. Never a code alone; the engine's own text rides along where it says more. */
export function explain(error: unknown): Explained {
  const { code, name, message, refused } = look(error)
  if (name === 'QuotaExceededError' || /quota/i.test(message)) {
    return {
      title: t`This browser has no room left.`,
      advice: t`Free some space on this device, or remove tokens you no longer need. What was stored before is still there.`,
    }
  }
  if (name === 'AbortError') return { title: t`It was stopped.`, advice: t`Nothing was changed.` }
  const byPasskey: Told | undefined = Object.entries(PASSKEY_REFUSALS).find(([key]) => key === name)?.[1]
  if (byPasskey) return tell(byPasskey)
  // A passphrase that is being chosen: what it lacks is said, and it opens nothing that could be mistyped.
  if (code === 'INVALID_PASSPHRASE' && /at least|at most|too easy/i.test(message)) {
    return { title: sentence(message), advice: t`Choose another one.` }
  }
  const byPayment: Told | undefined = Object.entries(PAYMENT_REFUSALS).find(([key]) => key === name)?.[1]
  const byName = byPayment ? tell(byPayment) : tokenRefusal(name)
  if (byName)
    return {
      title: byName.title,
      advice: message === '' ? byName.advice : `${sentence(message)} ${byName.advice}`,
    }
  const toldByCode = BY_CODE[code]
  if (toldByCode) {
    const byCode = tell(toldByCode)
    const wait = /\d+\s*(s|second)/i.test(message) && code === 'INVALID_PASSPHRASE'
    return wait ? { title: byCode.title, advice: sentence(message) } : byCode
  }
  // What was refused underneath may be of the client's own making: a list of what does not parse is for nobody to read.
  const said = engineWords(message) ?? engineWords(text(field(error, 'message')))
  // Nor is what a library or the browser said: that stays in the details, for programs.
  const own = text(field(error, 'message'), message)
  const title = said?.words ?? (own === '' ? t`That did not work.` : sentence(own))
  if (said !== undefined || refused) return { title, advice: said?.advice ?? t`Nothing was changed.` }
  return { title, advice: t`Nothing was changed. If it happens again, reload the page.` }
}

/** Title and advice as one text. */
export function explainText(error: unknown): string {
  const { title, advice } = explain(error)
  return `${title} ${advice}`
}

/** The engine's message as a sentence for people: in their language where it is known, times as dates, DIDs shortened, a capital and a full stop. */
export function sentence(message: string): string {
  const said = engineWords(message.trim())
  if (said) return said.advice === undefined ? said.words : `${said.words} ${said.advice}`
  const trimmed = message
    .trim()
    .replace(/\b(\d{1,16}) \(seconds since 1970\)/g, (_, seconds: string) => moment(Number(seconds) * 1000))
    .replace(/did:[a-z0-9]+:[A-Za-z0-9]{24,}/g, (did) => shorten(did))
  const capital = trimmed.startsWith('did:') ? trimmed : trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}
