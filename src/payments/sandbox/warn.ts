/** Tells whoever runs the sandbox of something that it goes on after. */
export function warn(error: unknown): void {
  process.emitWarning(`payment sandbox: ${error instanceof Error ? error.message : error}`)
}
