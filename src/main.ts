import cluster from 'node:cluster'
import { loadEnvironmentFile, readConfig } from './config/config.ts'
import { serve } from './server/serve.ts'
import { exitWithStartError } from './server/start-error.ts'
import { serveFromWorkers } from './server/workers/cluster.ts'

try {
  loadEnvironmentFile()
  const config = readConfig(process.env)
  const start = config.workers > 1 && cluster.isPrimary ? serveFromWorkers : serve
  await start(config)
} catch (error) {
  exitWithStartError(error)
}
