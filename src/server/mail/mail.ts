/** One message to one or several people (comma list). `html` beside the text for those who like it. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly attachments?: readonly MailAttachment[]
}

export interface MailAttachment {
  readonly filename: string
  readonly content: Uint8Array
  readonly contentType?: string
}

/** How mail leaves the house. */
export interface MailTransport {
  /** Throws when it cannot be delivered; an error with a 5xx `responseCode` is final. */
  send(mail: Mail): Promise<void>
  close(): void
}
