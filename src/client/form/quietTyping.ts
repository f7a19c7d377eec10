const typing = ['keypress', 'beforeinput', 'textInput', 'keyup'] as const

/**
 * Keeps what only types a character within its input: React looks at every event of the page from the root, four more for each key, and
 * nobody above an input asks for these. `keydown` and `input` still reach everybody. Returns how to stop it.
 */
export function quietTyping(box: HTMLElement): () => void {
  const stay = (event: Event) => event.stopPropagation()
  for (const name of typing) box.addEventListener(name, stay)
  return () => {
    for (const name of typing) box.removeEventListener(name, stay)
  }
}
