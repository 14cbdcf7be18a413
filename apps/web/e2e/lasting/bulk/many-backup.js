// Backups of an account with many tokens, each signed and different, made in Node. For the browser tests and for bench/.
import { createEnclave, isRefusal } from '@keyhole/enclave'

/** The passphrase of the file and of its account. */
export const FILE_PASSPHRASE = 'granite sparrow window forty'
const STRANGER = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
/** Tokens per chunk of the file, about as many as the vault puts into one. */
const IN_A_CHUNK = 200
const COMMANDS = ['/msg/send', '/crud/read', '/crud/update', '/payment/authorize', '/http/get']

/**
 * @template T
 * @param {T} answer
 * @returns {Exclude<T, {readonly error: string}>}
 */
function accepted(answer) {
  if (isRefusal(answer)) throw new Error(answer.error)
  return /** @type {Exclude<T, {readonly error: string}>} */ (answer)
}

/**
 * @param {number} count
 * @returns {Promise<{address: string, file: string[]}>} the parts of the file, which may be too long for one string
 */
export async function manyBackup(count) {
  const { address, files } = await manyBackups([count])
  return { address, file: files[0] ?? [] }
}

/**
 * Several backups of one account, made one after another.
 * @param {readonly number[]} counts how many tokens each has
 * @returns {Promise<{address: string, files: string[][]}>}
 */
export async function manyBackups(counts) {
  const enclave = await createEnclave()
  try {
    const { status } = accepted(
      await enclave.call('create_vault', { passphrase: FILE_PASSPHRASE, label: 'Much' }),
    )
    const { address } = status
    const [key] = status.keys
    if (!key || !address) throw new Error('The account has no key')
    const files = []
    for (const count of counts) files.push(await backupOf(enclave, key, count))
    return { address, files }
  } finally {
    await enclave.close()
  }
}

/**
 * @param {import('@keyhole/enclave').Enclave} enclave
 * @param {{did: string, key_id: string}} key
 * @param {number} count
 */
async function backupOf(enclave, key, count) {
  const now = Date.now()
  const head = accepted(
    await enclave.call('begin_export', {
      proof: { passphrase: FILE_PASSPHRASE },
      export_passphrase: FILE_PASSPHRASE,
      contents: { version: 2, tokens: count },
    }),
  )
  const file = [`${head.backup.slice(0, -1)},"chunks":[\n`]
  for (let at = 0; at < count; at += IN_A_CHUNK) {
    const numbers = Array.from({ length: Math.min(IN_A_CHUNK, count - at) }, (_, index) => at + index)
    const tokens = await Promise.all(
      numbers.map(async (number) => {
        const command = COMMANDS[number % COMMANDS.length] ?? '/'
        const policy = [['==', '.number', number]]
        const token = accepted(
          await enclave.call('new_origin_token', {
            ...{ audience_did: STRANGER, command, policy },
            expires_at: Math.floor(now / 1000) + 86_400 + number,
          }),
        )
        return {
          ...{ id: crypto.randomUUID(), token: token.token, type: 'origin', issuer: token.issuer },
          ...{ audience: token.address ?? STRANGER, audienceDid: STRANGER, command, policy },
          ...{ cid: token.cid, subject: key.did, createdAt: now - number * 1000 },
          ...{ expiresAt: (token.expires_at ?? 0) * 1000, keyId: key.key_id, label: `Number ${number}` },
        }
      }),
    )
    const last = at + IN_A_CHUNK >= count
    const contents = { tokens, sessions: [], metadata: [] }
    const { chunk } = accepted(await enclave.call('seal_backup_chunk', { contents, last }))
    file.push(`${at === 0 ? '' : ',\n'}${chunk}`)
  }
  file.push('\n]}\n')
  return file
}
