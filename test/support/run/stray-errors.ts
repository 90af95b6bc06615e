import asyncHooks from 'node:async_hooks'

// Preloaded into every test process, before anything that imports node:test. node:test observes every
// promise to learn to which test an error that nobody handles belongs, and that takes a quarter of the
// processor time of requests. Here such an error fails the test during which it occurs.
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
const { afterEach } = await import('node:test')
asyncHooks.createHook = createHook

const strayErrors: unknown[] = []
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error: unknown) => strayErrors.push(error))
}
afterEach(() => {
  const [first] = strayErrors.splice(0)
  if (first !== undefined) throw first
})
