/** So long a page has processor and server to itself once it is seen. */
const pauseMs = 30

/** Does what can wait once what has just been drawn is seen; at once in a window that nobody sees, which is not painted. Returns how to call it off. */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  if (document.visibilityState === 'hidden') {
    timer = setTimeout(work)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(() => {
    // The frame is painted after this: the pause begins with what comes next, however long painting took.
    timer = setTimeout(() => {
      timer = setTimeout(work, pauseMs)
    })
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
