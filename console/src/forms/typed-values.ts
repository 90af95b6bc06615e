import type { Json } from '../api/json.ts'

/** The text by which a value is edited: a list has a line for each entry. */
export const showValue = (value: Json | undefined): string =>
  Array.isArray(value) ? value.join('\n') : String(value ?? '')

/** Reads an edited value: as it was while its text is, else a number, a yes or no, a list of lines, or a text. */
export function readValue(text: string, before: Json | undefined): Json {
  if (before !== undefined && showValue(before) === text) return before
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [line = ''] = lines
  if (lines.length > 1 || Array.isArray(before)) return lines
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(line)) return Number(line)
  return line === 'true' || line === 'false' ? line === 'true' : line
}
