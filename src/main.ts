import cluster from 'node:cluster'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Everything else is imported once this is on, and is not compiled again from the second start on;
// the settings first, so that a mistake in them is told at once.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

try {
  const { loadEnvironmentFile, readConfig } = await import('./config/config.ts')
  loadEnvironmentFile()
  const config = readConfig(process.env)
  if (config.workers > 1 && cluster.isPrimary) {
    const { serveFromWorkers } = await import('./server/workers/cluster.ts')
    await serveFromWorkers(config)
  } else {
    const { serve } = await import('./server/serve.ts')
    await serve(config)
  }
} catch (error) {
  const { failToStart } = await import('./server/exit-on-start-error.ts')
  failToStart(error)
}
