/**
 * GET  /api/v1/ocr/{id}             ScanState: how far a scan is read, and what was read where
 * GET  /api/v1/ocr/{id}/page/{page} the picture of a page, from 1
 * POST /api/v1/ocr/{id}/stop        ScanState: reading is stopped
 */
export interface ScanState {
  readonly Reading: 'QUEUED' | 'READING' | 'READ' | 'FAILED'
  readonly Problem: 'broken' | 'locked' | 'pages' | 'large' | 'empty' | 'slow' | 'ended' | 'stopped' | null
  /** Page being read, of so many; 0: not known yet. */
  readonly Page: number
  readonly PagesThere: number
  readonly Pages: readonly { readonly Width: number; readonly Height: number; readonly IsDigital: boolean }[]
  /** Confidence 0 to 100; places are shares of the page from its upper left corner. */
  readonly Readings: readonly { readonly Field: string; readonly Value: string; readonly Confidence: number; readonly Page: number; readonly X: number; readonly Y: number; readonly W: number; readonly H: number }[]
}
