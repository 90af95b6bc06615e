// Preloaded into a server. Its clock is late by CLOCK_BACK_MS, and by one hour after SIGUSR2.
const hourMs = 3_600_000
const RealDate = Date
const realNow = Date.now
let backMs = Number(process.env['CLOCK_BACK_MS'] ?? 0)
const shiftedNow = (): number => realNow() - backMs

class ShiftedDate extends RealDate {
  constructor(...values: readonly unknown[]) {
    super(...((values.length === 0 ? [shiftedNow()] : values) as [number]))
  }
  static override now = shiftedNow
}

globalThis.Date = ShiftedDate as DateConstructor
process.on('SIGUSR2', () => {
  backMs = hourMs
})
