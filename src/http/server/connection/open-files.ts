import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { minuteMs } from '#values/instant.ts'
import { tellRarely } from '#values/tell-rarely.ts'

/** The files that a process needs beside the connections of clients: database, providers, imports, images. */
const minOwnFiles = 128
const ownShare = 1 / 4

/** The files that this process may have open; undefined where that is unknown or without a limit. */
function openFileLimit(): number | undefined {
  try {
    const [, limit] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    // There is no such file outside of Linux.
    return undefined
  }
}

/** Reports to the operator, once a minute, that connections are refused. */
type ReportRefused = (facts: { refused: number; connections: number; files: number }) => void

/**
 * Bounds the connections to the servers of a process together below the files it may have open, so that
 * clients who use these up are refused, which is reported, and the database is not.
 */
export function keepFilesFree(
  servers: readonly Server[],
  report: ReportRefused,
  limit = openFileLimit(),
): void {
  if (limit === undefined) return
  const ownFiles = Math.max(minOwnFiles, limit * ownShare)
  const connections = Math.max(1, Math.floor((limit - ownFiles) / servers.length))
  const countLeftOut = tellRarely(minuteMs)
  const reportRefused = () => {
    const leftOut = countLeftOut()
    if (leftOut !== undefined) report({ refused: leftOut + 1, connections, files: limit })
  }
  for (const server of servers) {
    server.maxConnections = connections
    server.on('drop', reportRefused)
  }
}
