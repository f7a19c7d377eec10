import { strFromU8, unzipSync } from 'fflate'

/** The XML of a workbook's own part and of its first sheet. */
export function sheets(bytes: Uint8Array): { readonly workbook: string; readonly sheet: string } {
  const files = unzipSync(bytes)
  const part = (name: string): string => strFromU8(files[name] ?? new Uint8Array())
  return { workbook: part('xl/workbook.xml'), sheet: part('xl/worksheets/sheet1.xml') }
}
