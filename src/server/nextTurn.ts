/** Comes back when what was asked for so far has been sent: for work that takes the processor while others answer. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
