/** Runs work, and lets no more than so many be under way at once; the others wait in the order in which they came. */
export function inTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay < most) underWay += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Who waited takes over the turn of who is done.
      if (next) next()
      else underWay -= 1
    }
  }
}
