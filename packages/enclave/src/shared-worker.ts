// The enclave of all tabs: one instance an account, whichever tab asks.
import './wait-async.ts'
import { browserPort } from './browser-port.ts'
import { Instances } from './instances.ts'
import { serve } from './server.ts'

const { locks } = navigator
const instances = new Instances({ locks, mode: 'exclusive' })

addEventListener('connect', (event) => {
  const port = event instanceof MessageEvent ? event.ports[0] : undefined
  if (port) serve(browserPort(port), { instances, locks })
})
