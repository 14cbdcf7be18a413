// Runs in a Node thread; its data is the port to its only client.
import { MessagePort, workerData } from 'node:worker_threads'
import { Instances } from './plugin/instances.ts'
import { Plugin } from './plugin/plugin.ts'
import { nodePort } from './worker/node-port.ts'
import { serve } from './worker/server.ts'

if (workerData instanceof MessagePort)
  serve(nodePort(workerData), { instances: new Instances(Plugin.create) })
