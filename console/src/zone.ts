let zone = 'UTC'

/** Sets the time zone of the shop (IANA), in which the console shows and reads times. */
export function setTimeZone(name: string): void {
  zone = name
}

/** The time zone of the shop (IANA). */
export const timeZone = (): string => zone

/** An instant as the clocks of the shop show it, such as `2026-11-27T00:30:00`. */
export function toClockTime(instant: Date): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  const parts = Object.fromEntries(
    format.formatToParts(instant).map((part) => [part.type, part.value]),
  )
  const { year = '', month, day, hour, minute, second } = parts
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`
}

/** The instant at which the clocks of the shop show a time. */
export function fromClockTime(text: string): Date {
  const asUtc = Date.parse(`${text}Z`)
  const offsetAt = (instant: number) => Date.parse(`${toClockTime(new Date(instant))}Z`) - instant
  // The offset of the first guess is that of the other side of a change of the clocks at worst.
  return new Date(asUtc - offsetAt(asUtc - offsetAt(asUtc)))
}

/** The day of an instant in the shop, such as `2026-11-27`. */
export const dayOf = (instant: Date): string => toClockTime(instant).slice(0, 10)

/** The instant at which a day starts in the shop. */
export const startOf = (day: string): Date => fromClockTime(`${day}T00:00:00`)
