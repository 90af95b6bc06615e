/** How many names are remembered; those of an API are fewer, and what clients name has no end. */
const limit = 1000

/** A function of names that gives the same text again without making it again. */
export function remember(make: (name: string) => string): (name: string) => string {
  const made = new Map<string, string>()
  return (name) => {
    const known = made.get(name)
    if (known !== undefined) return known
    const text = make(name)
    if (made.size < limit && name.length <= 64) made.set(name, text)
    return text
  }
}
