import cluster from 'node:cluster'
import { readArguments } from './cli/arguments.ts'
import { readConfig } from './config/config.ts'
import { loadEnvironment } from './config/environment.ts'
import { serve } from './server/serve.ts'
import { exitWithStartError } from './server/start-error.ts'
import { serveFromWorkers } from './server/workers.ts'

const command = {
  usage: 'npm start',
  description: 'Starts the server. Environment variables and .env configure it; see .env.example.',
}

try {
  readArguments(command)
  // Workers inherit the environment of the process that starts them.
  if (cluster.isPrimary) loadEnvironment()
  const config = readConfig(process.env)
  const start = config.workers > 1 && cluster.isPrimary ? serveFromWorkers : serve
  await start(config)
} catch (error) {
  exitWithStartError(error)
}
