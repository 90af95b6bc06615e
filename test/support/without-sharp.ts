import { registerHooks } from 'node:module'

// Given to a process by `--import`: the optional package `sharp` is not there.
registerHooks({
  resolve: (specifier, context, nextResolve) => {
    if (specifier !== 'sharp') return nextResolve(specifier, context)
    throw Object.assign(new Error("Cannot find package 'sharp'"), { code: 'ERR_MODULE_NOT_FOUND' })
  },
})
