// Accounts with more grants than anyone makes by hand, to check that large accounts stay fast and usable.

/**
 * Writes tokens into an account's database in their stored form. A page loaded afterwards lists them. Nine of ten were granted, the others
 * received; none has a label.
 * @param {import('@playwright/test').Page} page of the account's origin
 * @param {string} address of the account
 * @param {number} count how many
 */
export async function putTokens(page, address, count) {
  await page.evaluate(put, /** @type {const} */ ([address, count]))
}

/** Runs in the page. @param {readonly [string, number]} account its address, and the number of tokens */
async function put([address, count]) {
  /** @type {IDBDatabase} */
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open(`vault_${address}`)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  let state = 7
  /** @param {number} below */
  const next = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  /** @param {number} length */
  const text = (length) => Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz234567'[next(32)]).join('')
  const people = Array.from({ length: 1_000 }, (_, at) => ({
    audience: `kh1${text(38)}`,
    audienceDid: `did:key:z6MkPerson${at}x${text(30)}`,
  }))
  const commands = ['/msg/send', '/crud/read', '/crud/update', '/payment/authorize', '/http/get']
  const now = Date.now()
  const token = `C${text(600)}`
  for (let at = 0; at < count; ) {
    const transaction = database.transaction('tokens', 'readwrite', { durability: 'relaxed' })
    const store = transaction.objectStore('tokens')
    for (let end = Math.min(count, at + 5_000); at < end; at += 1) {
      store.put({
        id: `bench-${text(12)}-${at}`,
        token,
        type: at % 10 === 0 ? 'received' : 'origin',
        issuer: 'did:key:z6MkOwn',
        ...people[next(people.length)],
        cid: `bafyrei${text(52)}`,
        command: commands[next(commands.length)],
        policy: [['==', '.year', `${2020 + next(20)}`]],
        subject: 'did:key:z6MkOwn',
        expiresAt: now + next(365) * 86_400_000 + 3_600_000,
        createdAt: now - next(1_000_000) * 1_000,
      })
    }
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onerror = () => reject(transaction.error)
    })
  }
  database.close()
}
