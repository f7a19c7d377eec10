let typed = ''

function note(event: KeyboardEvent): void {
  const { key } = event
  // What comes after belongs into another box, a password perhaps.
  if (key === 'Tab' || key === 'Enter') window.removeEventListener('keydown', note)
  else if (key === 'Backspace') typed = typed.slice(0, -1)
  else if (key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) typed += key
}

/** From now on what is typed is remembered, until there is a box for it. */
export function rememberKeys(): void {
  window.addEventListener('keydown', note)
}

/** What was typed before the first box was there. */
export function takeKeys(): string {
  window.removeEventListener('keydown', note)
  return typed
}
