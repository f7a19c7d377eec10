import { createTransport } from 'nodemailer'
import { messageOf } from './message.ts'
import type { MailTransport } from './mail.ts'

/** Mail by SMTP: `smtp://user:password@host:587` (STARTTLS where offered) or `smtps://…:465`. */
export function smtpTransport(url: string, from: string): MailTransport {
  const parsed = new URL(url)
  if (parsed.protocol !== 'smtp:' && parsed.protocol !== 'smtps:') throw new Error('SMTP_URL begins with smtp:// or smtps://.')
  const transport = createTransport({ url, connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 }, { from })
  return {
    async send(mail) {
      await transport.sendMail(messageOf(mail))
    },
    close: () => transport.close(),
  }
}
