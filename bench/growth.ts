import { parseArgs } from 'node:util'
import { positive } from './arguments.ts'
import { endOnSignals } from './ending.ts'
import { measureGrowth, measureGrowthOnSqlite } from './growth/measure.ts'
import { makeDirectory } from './place.ts'
import { layOut } from './report.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    // Databases that are there already, filled or not; left as they are after.
    databases: { type: 'string', multiple: true, default: [] },
  },
})

async function run(): Promise<void> {
  const options = {
    small: positive('small', values.small),
    large: positive('large', values.large),
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    directory: makeDirectory('growth'),
    entry: 'src/main.ts',
  }
  const [small, large] = values.databases
  if ((small === undefined) !== (large === undefined)) {
    throw new Error('--databases names two: the small one and the large one')
  }
  const lines =
    small !== undefined && large !== undefined
      ? await measureGrowth(options, [small, large])
      : await measureGrowthOnSqlite(options)
  process.stdout.write(`\n${layOut(lines)}\n`)
}

endOnSignals()
await run()
