import { fileTypes, type FileType } from '#api/files.ts'

/** Enough of a file to tell what it is. */
export const headBytes = 4_096

/**
 * What a file is by its own bytes; its name only chooses among kin (a workbook and a text document are both ZIP files). Undefined: it is a
 * program, or nothing we know.
 */
export function sniffType(head: Buffer, name: string): FileType | undefined {
  const ending = endingOf(name)
  if (programs.has(ending)) return undefined
  const magic = magics.find(({ at = 0, bytes }) => head.subarray(at, at + bytes.length).equals(bytes))
  if (magic) return typeof magic.type === 'string' ? magic.type : magic.type(head, ending)
  return isText(head) ? textType(head, ending) : undefined
}

export function endingOf(name: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** Endings that an operating system runs when they are opened, whatever is inside. */
const programs = new Set([
  'exe', 'com', 'scr', 'pif', 'msi', 'msp', 'dll', 'bat', 'cmd', 'ps1', 'psm1', 'vbs', 'vbe', 'js', 'jse', 'mjs', 'wsf', 'wsh', 'hta', 'lnk', 'url', 'reg', 'jar', 'app', 'dmg', 'pkg',
  'sh', 'bash', 'command', 'desktop', 'apk', 'iso', 'img', 'chm', 'cpl', 'inf', 'scf', 'xll', 'docm', 'xlsm', 'pptm',
])

interface Magic {
  readonly at?: number
  readonly bytes: Buffer
  readonly type: FileType | ((head: Buffer, ending: string) => FileType | undefined)
}

const bytes = (...values: readonly (number | string)[]): Buffer => Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from([value]))))
const nothing = (): undefined => undefined

const magics: readonly Magic[] = [
  { bytes: bytes(0x89, 'PNG\r\n', 0x1a, '\n'), type: 'image/png' },
  { bytes: bytes(0xff, 0xd8, 0xff), type: 'image/jpeg' },
  { bytes: bytes('GIF87a'), type: 'image/gif' },
  { bytes: bytes('GIF89a'), type: 'image/gif' },
  { bytes: bytes('RIFF'), type: (head) => (head.subarray(8, 12).toString('latin1') === 'WEBP' ? 'image/webp' : undefined) },
  { at: 4, bytes: bytes('ftyp'), type: (head) => (/^(heic|heix|heim|heis|mif1|msf1)$/.test(head.subarray(8, 12).toString('latin1')) ? 'image/heic' : undefined) },
  { bytes: bytes('II*', 0), type: 'image/tiff' },
  { bytes: bytes('MM', 0, '*'), type: 'image/tiff' },
  { bytes: bytes('%PDF-'), type: 'application/pdf' },
  { bytes: bytes('PK', 3, 4), type: (_, ending) => kin(ending, zipped) ?? 'application/zip' },
  { bytes: bytes('PK', 5, 6), type: 'application/zip' },
  { bytes: bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), type: (_, ending) => kin(ending, compound) },
  // Text in UTF-16 begins with its byte order.
  { bytes: bytes(0xff, 0xfe), type: (_, ending) => kin(ending, written) ?? 'text/plain' },
  { bytes: bytes(0xfe, 0xff), type: (_, ending) => kin(ending, written) ?? 'text/plain' },
  { bytes: bytes('MZ'), type: nothing },
  { bytes: bytes(0x7f, 'ELF'), type: nothing },
  { bytes: bytes('#!'), type: nothing },
]

const zipped: readonly FileType[] = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation', 'application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.spreadsheet',
]
const compound: readonly FileType[] = ['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint', 'application/vnd.ms-outlook']
const written: readonly FileType[] = ['text/csv', 'message/rfc822']

function kin(ending: string, types: readonly FileType[]): FileType | undefined {
  return types.find((type) => (fileTypes[type] as readonly string[]).includes(ending))
}

function isText(head: Buffer): boolean {
  return head.length > 0 && !head.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b)
}

/** Markup is what a browser would take it for, whatever it is called. */
function textType(head: Buffer, ending: string): FileType {
  const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '').trimStart().toLowerCase()
  const isXml = text.startsWith('<?xml')
  if (text.startsWith('<') && /<svg[\s>]/.test(text)) return 'image/svg+xml'
  if (isXml && !/<html[\s>]/.test(text)) return 'application/xml'
  if (/^<[!a-z]/.test(text) || /<(script|html|iframe)[\s>]/.test(text)) return 'text/html'
  return kin(ending, written) ?? 'text/plain'
}
