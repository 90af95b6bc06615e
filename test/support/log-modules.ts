import { registerHooks } from 'node:module'

// Given to a process by `--import`: it prints the URL of every module that it loads.
registerHooks({
  load: (url, context, nextLoad) => {
    process.stdout.write(`loaded ${url}\n`)
    return nextLoad(url, context)
  },
})
