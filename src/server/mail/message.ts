import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './mail.ts'

/** The mail as nodemailer takes it. Texts are texts: nothing in them is read as a path or an address to fetch. */
export function messageOf(mail: Mail): SendMailOptions {
  return {
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    ...(mail.attachments === undefined
      ? {}
      : {
          attachments: mail.attachments.map(({ filename, content, contentType }) => ({
            filename, content: Buffer.from(content), ...(contentType === undefined ? {} : { contentType }),
          })),
        }),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
