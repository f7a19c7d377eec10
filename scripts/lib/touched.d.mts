export interface TouchedTest {
  readonly file: string
  readonly far: number
  readonly why: string
}
export interface TouchedBrowserTests {
  readonly walks: readonly { readonly walk: string; readonly screens: readonly string[] }[]
  readonly tests: readonly { readonly place: string; readonly why: string; readonly far: number }[]
}
export function touchedTests(changed: readonly string[], files: ReadonlyMap<string, string>, said?: readonly string[]): readonly TouchedTest[]
export function touchedBrowserTests(changed: readonly string[], specs: ReadonlyMap<string, string>, served: ReadonlySet<string>): TouchedBrowserTests
export function fitting<Piece>(pieces: readonly Piece[], seconds: number, secondsOf: (piece: Piece) => number): { readonly fit: readonly Piece[]; readonly left: readonly Piece[] }
