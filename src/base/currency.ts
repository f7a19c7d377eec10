/** Amounts are in it unless their record says otherwise; they stand without it. */
export const unmarkedCurrency = 'IDR'
