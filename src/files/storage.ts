import { unavailableProblem } from '#values/problem.ts'

/**
 * Keeps objects by name; a name has lower-case letters, digits, dots and hyphens. Every function throws
 * 503/5031 while the storage cannot be used.
 */
export interface FileStorage {
  /** Stores an object durably: the whole of it or, after an error, possibly nothing. */
  readonly write: (name: string, object: StoredObject) => Promise<void>
  /** Returns the bytes of an object; undefined if there is none. */
  readonly read: (name: string) => Promise<Buffer | undefined>
  /** Removes an object, if there is one. */
  readonly remove: (name: string) => Promise<void>
}

/** The content of an object. */
export interface StoredObject {
  readonly bytes: Buffer
  /** The media type. */
  readonly type: string
}

/** Logs why a storage cannot be used. */
export type ReportStorageError = (error: unknown) => void

/** The largest object that is read, in bytes. */
export const maxObjectBytes = 64 * 1024 * 1024

const retryAfterSeconds = 5

/** The Problem 503/5031 of a storage that cannot be used. */
export const storageUnavailable = () =>
  unavailableProblem('detail.files_unavailable', retryAfterSeconds)
