import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { positive } from './arguments.ts'
import { endOnSignals } from './ending.ts'
import { layOut } from './report.ts'
import { measureSoak, soakConnections, soakData } from './soak/measure.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    products: { type: 'string', default: '1000000' },
    connections: { type: 'string', default: String(soakConnections) },
    data: { type: 'string', default: soakData },
  },
})

/** Prints what a soak has shown; whether all of it is within bounds. */
async function run(): Promise<boolean> {
  const lines = await measureSoak({
    minutes: positive('minutes', values.minutes),
    products: positive('products', values.products),
    connections: positive('connections', values.connections),
    data: resolve(values.data),
    entry: 'src/main.ts',
  })
  process.stdout.write(`\n${layOut(lines)}\n`)
  return lines.every(({ target }) => target?.met !== false)
}

endOnSignals()
try {
  process.exitCode = (await run()) ? 0 : 1
} catch (error) {
  console.error(error)
  process.exitCode = 1
}
