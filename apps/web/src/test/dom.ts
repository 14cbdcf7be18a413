import { builtinEnvironments } from 'vitest/runtime'

/** A page in Node, with the sources read as Node reads them. The enclave in its thread is the real one. */
export default { ...builtinEnvironments['happy-dom'], name: 'dom', viteEnvironment: 'ssr' }
