// The enclave of one tab, or one without keys: its first message brings the port to its one client.
import './wait-async.ts'
import { browserPort } from './browser-port.ts'
import { Instances } from './instances.ts'
import { serve } from './server.ts'

const { locks } = navigator
const instances = new Instances({ locks, mode: 'shared' })

addEventListener('message', ({ ports: [port] }) => {
  if (port) serve(browserPort(port), { instances, locks })
})
