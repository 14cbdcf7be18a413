// The key that a merchant signs receipts with.
import { answerOf, createEnclave } from '@keyhole/enclave'

/**
 * @typedef {object} ReceiptKey
 * @property {string} did
 * @property {(task: string) => Promise<string>} confirm signs that a payment was collected, given the task of its authorisation
 * @property {() => Promise<void>} close
 */

/** Creates a receipt key. @returns {Promise<ReceiptKey>} */
export async function makeReceiptKey() {
  const enclave = await createEnclave()
  answerOf(await enclave.call('create_vault', { passphrase: 'four words that nobody guesses' }))
  const made = answerOf(await enclave.call('get_issuer_did'))
  return {
    did: made.issuer_did,
    confirm: async (task) => {
      const receipt = answerOf(await enclave.call('issue_receipt', { task, ok: {} }))
      return receipt.token
    },
    close: () => enclave.close(),
  }
}
