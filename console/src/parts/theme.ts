const storageKey = 'cartwright.console.theme'

/** The appearances that can be chosen; `system` follows the browser. */
export const themes = ['system', 'light', 'dark'] as const
/** An appearance. */
export type Theme = (typeof themes)[number]

/** The chosen appearance. */
export const chosenTheme = (): Theme =>
  themes.find((each) => each === localStorage.getItem(storageKey)) ?? 'system'

/** Shows an appearance, the chosen one by default, and stores it as chosen. */
export function applyTheme(theme = chosenTheme()): void {
  localStorage.setItem(storageKey, theme)
  document.documentElement.dataset['theme'] = theme
}
