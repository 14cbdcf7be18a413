// The enclave of one tab, or one without keys. Its first message brings the port to its only client.
import './plugin/wait-async.ts'
import { Instances } from './plugin/instances.ts'
import { Plugin } from './plugin/plugin.ts'
import { browserPort } from './worker/browser-port.ts'
import { serve } from './worker/server.ts'

const { locks } = navigator
const instances = new Instances(Plugin.create, { locks, mode: 'shared' })

addEventListener('message', ({ ports: [port] }) => {
  if (port) serve(browserPort(port), { instances, locks })
})
