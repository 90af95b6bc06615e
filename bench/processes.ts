import { readdirSync, readFileSync } from 'node:fs'

// Linux counts processor time in ticks of a hundredth of a second.
const ticksPerSecond = 100

/** Resident memory of a process now, and at its peak. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = read(pid, 'status')
  const megabytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** Processor time of a process, its threads and its descendants, also of those that have ended. */
export function cpuSecondsOf(pid: number): number {
  const [own, ended] = ticksOf(pid)
  // Any thread may start a child, but Node does so from the first one.
  const children = read(pid, `task/${pid}/children`).split(' ').filter(Boolean)
  const ofChildren = children.map((child) => cpuSecondsOf(Number(child)))
  return ofChildren.reduce((sum, seconds) => sum + seconds, (own + ended) / ticksPerSecond)
}

/** Processor time of the children of this process that have ended. */
export const endedChildrenCpuSeconds = (): number => ticksOf(process.pid)[1] / ticksPerSecond

/**
 * Processor time of the PostgreSQL processes on this machine that serve the clients of a database, found
 * by their titles; 0 where `url` is not that of a PostgreSQL database here.
 */
export function backendCpuSeconds(url: string): number {
  if (!/^postgres(ql)?:/.test(url)) return 0
  const database = ` ${new URL(url).pathname.slice(1)} `
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const backends = pids.filter((pid) => {
    const title = read(pid, 'cmdline')
    return title.startsWith('postgres: ') && title.includes(database)
  })
  // Each has one thread, whose time is known to the nanosecond.
  const nanoseconds = backends.map((pid) => Number(read(pid, 'schedstat').split(' ')[0]))
  return nanoseconds.reduce((sum, each) => sum + each / 1e9, 0)
}

/** User and system time of a process, and that of its children that have ended, in ticks. */
function ticksOf(pid: number): readonly [own: number, ended: number] {
  const text = read(pid, 'stat')
  // The name of the process, which may hold anything, ends at the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
  return [user + system, endedUser + endedSystem]
}

/** A file of `/proc`; empty once the process has ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
