// From nothing to the first answer: read the plugin, check its digest, start the thread, compile and instantiate the wasm.
import { Worker } from 'node:worker_threads'
import { createEnclave } from '@keyhole/enclave'
import { times } from './measure.mjs'

/** The least time that anything in its own thread can take. */
function emptyThread() {
  return new Promise((resolve, reject) => {
    const worker = new Worker("require('node:worker_threads').parentPort.postMessage('ready')", {
      eval: true,
    })
    worker.once('error', reject)
    worker.once('message', () => resolve(worker.terminate()))
  })
}

export async function figures() {
  /** @type {import('@keyhole/enclave').Enclave | undefined} */
  let enclave
  const taken = await times({
    ours: {
      run: async () => {
        enclave = await createEnclave()
        await enclave.call('vault_status')
      },
      after: async () => enclave?.close(),
    },
    thread: { run: emptyThread },
  })
  return [
    {
      title: 'Cold start to the first answer',
      better: 'less',
      rows: [
        { name: 'Keyhole, createEnclave', unit: 'ms', value: taken.ours },
        { name: 'an empty worker thread', unit: 'ms', value: taken.thread },
      ],
    },
  ]
}
