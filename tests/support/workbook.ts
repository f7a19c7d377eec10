import { strToU8, zipSync, type Zippable } from 'fflate'

/** A workbook of one sheet with these rows as XML; parts may be exchanged or taken out (`undefined`). */
export function workbook(sheetData: string, parts: Readonly<Record<string, string | undefined>> = {}): Buffer {
  const all: Readonly<Record<string, string | undefined>> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheetData}</sheetData></worksheet>`,
    ...parts,
  }
  const zipped: Zippable = Object.fromEntries(Object.entries(all).flatMap(([name, text]) => (text === undefined ? [] : [[name, strToU8(text)]])))
  return Buffer.from(zipSync(zipped))
}

/** Rows of text cells as sheet XML. */
export function textRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells, i) => `<row r="${i + 1}">${cells.map((cell) => `<c t="inlineStr"><is><t xml:space="preserve">${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`).join('')}</row>`).join('')
}
