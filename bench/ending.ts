const works = new Set<() => Promise<void>>()

/** Has this done if the process is told to end while `use` goes on. */
export async function evenIfEnded<Result>(
  work: () => Promise<void>,
  use: () => Promise<Result>,
): Promise<Result> {
  works.add(work)
  try {
    return await use()
  } finally {
    await work()
    works.delete(work)
  }
}

/** Ends on SIGINT and SIGTERM by way of 'exit', which stops the children and removes their files. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await Promise.allSettled([...works].map((work) => work()))
      process.exit(1)
    })
  }
}
