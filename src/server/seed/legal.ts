import type { LegalText } from '#api/account.ts'
import { privacy } from './legal/privacy.ts'
import { terms } from './legal/terms.ts'

/** Version of the terms an installation starts with. */
export const firstTerms = '1'

const from = '2025-01-01'

/** Terms of service and privacy policy as an installation starts with them; later versions are published by an administrator. */
export const legalTexts: readonly LegalText[] = [
  ...(['en', 'cn', 'id'] as const).map((language): LegalText => ({ kind: 'TERMS', version: firstTerms, language, ...terms[language], effective_from: from })),
  ...(['en', 'cn', 'id'] as const).map((language): LegalText => ({ kind: 'PRIVACY', version: '1', language, ...privacy[language], effective_from: from })),
]
