import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Entry, Options, ZipFile } from 'yauzl'
import { maxDecodedBytes } from '#http/declare/uploaded-body.ts'
import { problem } from '#values/problem.ts'
import { maxFileBytes } from '../records.ts'
import { brokenWorkbook } from './read-xml.ts'

/** The parts that an archive has at most, and those that are looked at. */
const maxEntries = 10_000
/** What a part is read in. */
const chunkBytes = 16_384

/** Bounds what is made of a file. Throws 413/4131 beyond. */
export class ExpansionLimit {
  readonly #limitBytes: number
  #bytes = 0

  constructor(sentBytes: number) {
    this.#limitBytes = maxDecodedBytes(sentBytes, maxFileBytes)
  }

  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= this.#limitBytes) return
    throw problem('4131', 'detail.body_limit', { limit: this.#limitBytes })
  }
}

/** The parts of a workbook, which is a ZIP archive. */
export interface Archive {
  readonly sentBytes: number
  /** Reads a part; undefined without it. */
  readonly read: (name: string) => AsyncIterable<Buffer> | undefined
}

/** Runs `work` on an archive, which is kept in a temporary file meanwhile. Throws an UnreadableFileError for none. */
export async function* withArchive<T>(
  content: AsyncIterable<Buffer>,
  work: (archive: Archive) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const path = join(tmpdir(), `cartwright-import-${crypto.randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  // Where that is possible, nothing is left of a process that dies.
  await rm(path).catch(() => undefined)
  try {
    let sentBytes = 0
    for await (const chunk of content) {
      await file.appendFile(chunk)
      sentBytes += chunk.length
    }
    yield* work(await openArchive(file, sentBytes))
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

async function openArchive(file: FileHandle, sentBytes: number): Promise<Archive> {
  // Loaded on demand, since most servers read no workbook.
  const { fromFd } = await import('yauzl')
  const openFd = promisify<number, Options, ZipFile>(fromFd)
  const options = { lazyEntries: true, autoClose: false, strictFileNames: false } as const
  const limit = new ExpansionLimit(sentBytes)
  try {
    const archive = await openFd(file.fd, options)
    const entries = await readEntries(archive)
    const openEntry = promisify<Entry, Readable>(archive.openReadStream.bind(archive))
    async function* readEntry(entry: Entry): AsyncGenerator<Buffer> {
      try {
        const stream: Readable = await openEntry(entry)
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          limit.add(chunk.length)
          for (let at = 0; at < chunk.length; at += chunkBytes) {
            yield chunk.subarray(at, at + chunkBytes)
          }
        }
      } catch (error) {
        throw asBroken(error)
      }
    }
    return {
      sentBytes,
      read: (name) => {
        const entry = entries.get(name.replace(/^\//, '').toLowerCase())
        return entry && readEntry(entry)
      },
    }
  } catch (error) {
    throw asBroken(error)
  }
}

/** An error of the archive is one of the file; those that were thrown here stay. */
const asBroken = (error: unknown): unknown =>
  error instanceof Error && error.constructor === Error ? brokenWorkbook(error) : error

/** Returns the parts of an archive by their names, which differ by more than case. */
async function readEntries(archive: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (archive.entryCount > maxEntries) throw brokenWorkbook()
  const entries = new Map<string, Entry>()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  archive.on('entry', (entry: Entry) => {
    entries.set(entry.fileName.toLowerCase(), entry)
    archive.readEntry()
  })
  archive.once('end', resolve)
  archive.once('error', reject)
  archive.readEntry()
  await promise
  return entries
}
