import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { atEnd } from './atEnd.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The message as it came over the wire. */
  readonly source: string
}

export interface MailServer {
  readonly url: string
  readonly received: readonly ReceivedMail[]
  /** What the server answers to the next messages instead of taking them: an SMTP code. */
  refuse(code: number | undefined): void
  close(): Promise<void>
}

export const mailUser = { user: 'arus', password: 'mail-secret-1' }

/** A real SMTP server on a port of its own that wants a password, closed after the tests of the file. */
export async function mailServer(port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let refusal: number | undefined
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth(auth, _session, callback) {
      if (auth.username === mailUser.user && auth.password === mailUser.password) callback(null, { user: auth.username })
      else callback(new Error('Wrong user or password'))
    },
    onData(stream, session, callback) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (refusal !== undefined) return callback(Object.assign(new Error('Not now'), { responseCode: refusal }))
        const { mailFrom, rcptTo } = session.envelope
        received.push({ from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map((recipient) => recipient.address), source: Buffer.concat(parts).toString('utf8') })
        callback()
      })
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
    })
  atEnd(close)
  const address = server.server.address() as AddressInfo
  return { url: `smtp://${mailUser.user}:${mailUser.password}@127.0.0.1:${address.port}`, received, refuse: (code) => (refusal = code), close }
}

/** The readable text of a plain message, quoted-printable or base64 undone. */
export function readableText(source: string): string {
  const [head = '', ...rest] = source.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/content-transfer-encoding: quoted-printable/i.test(head)) return body
  const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
