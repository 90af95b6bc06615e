#!/usr/bin/env node
// Starts the shop in the current folder, with the Node that this package brings. Runs on any Node from 18 on.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const nodePackage = dirname(createRequire(import.meta.url).resolve('node/package.json'))
const executable = ['node', 'node.exe']
  .map((name) => join(nodePackage, 'bin', name))
  .find((path) => existsSync(path))

if (executable === undefined) {
  console.error(
    'The npm package "node" has no Node: its install script did not run. Allow it, and install again.',
  )
  process.exitCode = 1
} else {
  // Workers inherit these options.
  const options = [
    '--max-semi-space-size=8',
    '--max-old-space-size=1024',
    '--disable-warning=ExperimentalWarning',
    '--import',
    pathToFileURL(join(folder, 'strip-types.js')).href,
  ]
  const main = join(folder, '../src/main.ts')
  const server = spawn(executable, [...options, main, ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
  server.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 0 : 1)
  })
}
