import { countFilesOfProcess } from './declare-files.ts'

// A test file imports this if it needs a process of its own, because it measures the memory of the process,
// for example. `npm test` starts one for it; other files share processes.
if (countFilesOfProcess() > 1) {
  throw new Error('A file that imports own-process.ts shares its process with other files')
}
