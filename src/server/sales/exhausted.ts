/** Of a promotion there is not enough left for the order. */
export const exhaustedCode = 'PROMO_BUDGET'
