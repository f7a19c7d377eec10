export interface Position {
  readonly latitude: number
  readonly longitude: number
}

const earthRadius = 6_371_008.8

/** Metres between two places as the crow flies, rounded. */
export function metresBetween(one: Position, other: Position): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const [up, across] = [radians(other.latitude - one.latitude) / 2, radians(other.longitude - one.longitude) / 2]
  const chord = Math.sin(up) ** 2 + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(across) ** 2
  return Math.round(2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord))))
}
