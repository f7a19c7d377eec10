import fs from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Clock } from '#server/context.ts'
import { randomToken } from '#server/random.ts'
import { messageOf } from './message.ts'
import type { MailTransport } from './mail.ts'

/** Without a mail server: each mail is a file in a folder, readable by any mail program. */
export function outboxTransport(folder: string, from: string, clock: Clock, log: (line: string) => void): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail))
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      const file = path.join(folder, `${clock.now().toISOString().replaceAll(/[:.]/g, '-')}-${randomToken(4)}.eml`)
      await fs.writeFile(file, message, { mode: 0o600 })
      log(`No SMTP_URL is set: the mail "${mail.subject}" to ${mail.to} is in ${file}`)
    },
    close: () => transport.close(),
  }
}
