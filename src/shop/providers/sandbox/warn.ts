/** Emits a warning about an error after which the sandbox continues. */
export function warn(error: unknown): void {
  process.emitWarning(`payment sandbox: ${error instanceof Error ? error.message : error}`)
}
