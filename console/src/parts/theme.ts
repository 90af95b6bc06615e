const storageKey = 'cartwright.console.theme'

/** The appearances that can be chosen; `system` follows the browser. */
export const themes = ['system', 'light', 'dark'] as const
/** An appearance. */
export type Theme = (typeof themes)[number]

/** The chosen appearance. */
export const chosenTheme = (): Theme =>
  themes.find((each) => each === localStorage.getItem(storageKey)) ?? 'system'

/** Shows the chosen appearance, after remembering a new one. */
export function applyTheme(theme = chosenTheme()): void {
  localStorage.setItem(storageKey, theme)
  document.documentElement.dataset['theme'] = theme
}
