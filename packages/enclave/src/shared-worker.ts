// The enclave for all tabs: one instance per account, whichever tab asks.
import './plugin/wait-async.ts'
import { Instances } from './plugin/instances.ts'
import { Plugin } from './plugin/plugin.ts'
import { browserPort } from './worker/browser-port.ts'
import { serve } from './worker/server.ts'

const { locks } = navigator
const instances = new Instances(Plugin.create, { locks, mode: 'exclusive' })

addEventListener('connect', (event) => {
  const port = event instanceof MessageEvent ? event.ports[0] : undefined
  if (port) serve(browserPort(port), { instances, locks })
})
