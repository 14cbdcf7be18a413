/** What makes transactions: a database, or the prototype of all. */
type Maker = Pick<IDBDatabase, 'transaction'>

/**
 * Follows the transactions that begin from now on. WebKit never ends those of a worker that ends first, and all later ones wait for them (088).
 * @returns waits until none is running
 */
export function followTransactions(maker: Maker): () => Promise<void> {
  const running = new Set<Promise<void>>()
  const { transaction } = maker
  maker.transaction = function (this: IDBDatabase, ...given: Parameters<IDBDatabase['transaction']>) {
    const begun = transaction.apply(this, given)
    const ended = new Promise<void>((resolve) => {
      for (const type of ['complete', 'abort']) begun.addEventListener(type, () => resolve())
    }).then(() => void running.delete(ended))
    running.add(ended)
    return begun
  }
  return async () => {
    while (running.size > 0) await Promise.all(running)
  }
}
