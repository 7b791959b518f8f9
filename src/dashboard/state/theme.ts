import { effect, signal } from '@preact/signals'

const NAME = 'tasksim-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

/** Follows the system until the user selects a theme. */
export const theme = signal<'light' | 'dark'>(storedTheme() ?? systemTheme())

function storedTheme(): 'light' | 'dark' | undefined {
  const value = localStorage.getItem(NAME)
  return value === 'light' || value === 'dark' ? value : undefined
}

function systemTheme(): 'light' | 'dark' {
  return dark.matches ? 'dark' : 'light'
}

dark.addEventListener('change', () => {
  theme.value = storedTheme() ?? systemTheme()
})

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
})

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem(NAME, theme.value)
}
