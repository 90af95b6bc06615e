import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { imageWidths } from '#src/files/scale.ts'

/** The name under which the picture of a category is kept in a width, in `pictures/` and as an object. */
export const demoPictureName = (category: string, width: number): string =>
  `demo-${category}-${width}.webp`

const sha256 = (bytes: Buffer): string => hash('sha256', bytes)

/** Returns the row of the file that shows products of a category; its objects are part of the program. */
export function demoFile(category: string) {
  const objects = imageWidths.map((width) => {
    const name = demoPictureName(category, width)
    return { name, bytes: readFileSync(new URL(`./pictures/${name}`, import.meta.url)) }
  })
  const digests = Object.fromEntries(objects.map(({ name, bytes }) => [name, sha256(bytes)]))
  return {
    hash: sha256(Buffer.concat(objects.map(({ bytes }) => bytes))),
    location: `demo-${category}`,
    type: 'image/webp',
    width: 1280,
    height: 960,
    digests: JSON.stringify(digests),
  }
}
