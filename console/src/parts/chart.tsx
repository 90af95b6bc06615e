/** One bar of a chart. */
export interface Bar {
  readonly label: string
  readonly value: number
  /** The value in words. */
  readonly text: string
}

const [width, height, gap] = [560, 120, 8]

/** A bar chart; screen readers get its values as a table. */
export function BarChart({
  title,
  bars,
}: {
  readonly title: string
  readonly bars: readonly Bar[]
}) {
  const max = Math.max(...bars.map(({ value }) => value), 1)
  const step = width / bars.length
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" preserveAspectRatio="none">
        <path d={`M0 ${height - 0.5}H${width}`} class="axis" />
        {bars.map(({ label, value, text }, index) => {
          const size = value === 0 ? 0 : Math.max(3, (value / max) * (height - 8))
          return (
            <rect
              key={label}
              class={index === bars.length - 1 ? 'bar now' : 'bar'}
              x={index * step + gap / 2}
              y={height - size}
              width={step - gap}
              height={size}
              rx="3"
            >
              <title>{`${label}: ${text}`}</title>
            </rect>
          )
        })}
      </svg>
      <div class="scale" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <table class="unseen">
        <caption>{title}</caption>
        <tbody>
          {bars.map(({ label, text }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
