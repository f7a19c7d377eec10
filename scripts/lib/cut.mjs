/** Cuts work into so many parts of about the same length, its order as it is: nothing comes after what used to come before it. */
export function cut(pieces, parts) {
  const entries = Object.entries(pieces)
  const whole = entries.reduce((sum, [, length]) => sum + length, 0)
  const cuts = Array.from({ length: parts }, () => [])
  let before = 0
  for (const [name, length] of entries) {
    // Where its middle lies is where it belongs.
    cuts[Math.min(parts - 1, Math.floor(((before + length / 2) / whole) * parts))].push(name)
    before += length
  }
  return cuts
}
