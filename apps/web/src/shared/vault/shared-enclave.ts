/** Whether all tabs share one enclave. In a browser without SharedWorker each tab has its own: they lock together, and unlock one by one. */
export const hasSharedEnclave = (): boolean => 'SharedWorker' in globalThis
