export interface Place {
  readonly Latitude: string
  readonly Longitude: string
}

/** Where the device is; undefined where it does not know or may not tell. The visit goes on without. */
export function placeNow(): Promise<Place | undefined> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator)) return resolve(undefined)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ Latitude: coords.latitude.toFixed(6), Longitude: coords.longitude.toFixed(6) }),
      () => resolve(undefined),
      { enableHighAccuracy: true, timeout: 8_000, maximumAge: 30_000 },
    )
  })
}
