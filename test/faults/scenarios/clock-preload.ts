/**
 * Loaded before a server: from SIGUSR2 on its clock shows an hour less, and from the start where
 * CLOCK_BACK_MS says by how much.
 */
const hourMs = 3_600_000
const RealDate = Date
const realNow = Date.now
let backMs = Number(process.env['CLOCK_BACK_MS'] ?? 0)
const shownNow = (): number => realNow() - backMs

class ShownDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [shownNow()] : given) as [number]))
  }
  static override now = shownNow
}

globalThis.Date = ShownDate as DateConstructor
process.on('SIGUSR2', () => {
  backMs = hourMs
})
