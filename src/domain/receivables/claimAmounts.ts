import { exact, money, type Decimal } from '#base/decimal.ts'

/** How a claim is treated for tax: a price cut after the fact, a reward for a target, a service bought from the customer. */
export type ClaimTreatment = 'PRICE_CUT' | 'REWARD' | 'SERVICE'
export type Funding = 'COMPANY' | 'PRINCIPAL' | 'SHARED'

export interface Claim {
  readonly dpp: Decimal
  readonly ppn: Decimal
  readonly treatment: ClaimTreatment | null
  /** Per cent withheld from whoever has a tax number. */
  readonly rate: Decimal
  readonly hasTaxNumber: boolean
  readonly funding: Funding
  /** Per cent a principal bears of a shared claim. */
  readonly principalPct: Decimal
}

export interface ClaimAmounts {
  readonly pphRate: Decimal
  readonly pph: Decimal
  readonly principalPct: Decimal
  readonly principalShare: Decimal
  readonly companyShare: Decimal
  readonly total: Decimal
}

/**
 * What a claim comes to: income tax is withheld from rewards and services, in whole rupiah and at the double rate without a tax number; a
 * principal bears a share of the base only, for the VAT is ours to deduct (D9).
 */
export function claimAmounts({ dpp, ppn, treatment, rate, hasTaxNumber, funding, principalPct }: Claim): ClaimAmounts {
  const withheld = treatment === 'REWARD' || treatment === 'SERVICE' ? exact(rate).times(hasTaxNumber ? 1 : 2) : exact(0)
  const pph = exact(dpp).times(withheld).div(100).round(0)
  const borne = { COMPANY: '0', PRINCIPAL: '100', SHARED: principalPct }[funding]
  const principalShare = exact(exact(dpp).times(borne).div(100).toFixed(2))
  return {
    pphRate: withheld.toFixed(4), pph: money(pph), principalPct: exact(borne).toFixed(4), principalShare: money(principalShare), companyShare: money(exact(dpp).minus(principalShare)),
    total: money(exact(dpp).plus(ppn).minus(pph)),
  }
}
